import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { throwAwayFolder } from './throw-away.js'

const deadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'close')
  return child.pid as number
}

it('is new, and takes away what a killed process of this machine has left; everything else stays', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'sheaf-throw-away-'))
  const host = `sheaf-check-${hostname()}`
  const dead = await deadPid()
  const staying = [
    `${host}-${process.pid}-abc`,
    `sheaf-check-another-${dead}-abc`,
    `${host}-x-abc`,
    `${host}-${dead}-7-abc`,
    'sheaf-check-abc',
  ]
  for (const name of [...staying, `${host}-${dead}-abc`]) {
    await mkdir(join(parent, name, 'postgres'), { recursive: true })
    await writeFile(join(parent, name, 'postgres', 'PG_VERSION'), '18')
  }
  const link = `${host}-${dead}-link`
  await symlink(join(parent, 'sheaf-check-abc'), join(parent, link))
  const made = await throwAwayFolder(parent)
  expect((await readdir(parent)).sort()).toEqual([...staying, link, basename(made)].sort())
  await rm(parent, { recursive: true })
})
