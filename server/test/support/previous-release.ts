// The program of the previous release, in a folder of its own, beside the packages that are installed.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const kept = fileURLToPath(new URL('../previous-release', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

export const release = JSON.parse(readFileSync(join(kept, 'release.json'), 'utf8')) as {
  readonly version: string
  readonly commit: string
  /** Its newest migration. */
  readonly knows: number
}

/** Packages as they are installed, but the compiler, which is of its time. */
const linkPackages = async (folder: string): Promise<void> => {
  const packages = join(folder, 'node_modules')
  await mkdir(join(packages, '@sheaf'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@sheaf') await symlink(join(root, 'node_modules', name), join(packages, name))
  }
  await symlink(join(folder, 'xlsform'), join(packages, '@sheaf/xlsform'))
  const own = join(root, 'server/node_modules')
  if (existsSync(own)) await symlink(own, join(folder, 'server/node_modules'))
}

export interface PreviousRelease {
  readonly folder: string
  /** What people run. */
  readonly program: string
  remove(): Promise<void>
}

export const unpackRelease = async (): Promise<PreviousRelease> => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-release-'))
  await run('tar', ['-xzf', join(kept, 'program.tar.gz'), '-C', folder])
  await linkPackages(folder)
  return {
    folder,
    program: join(folder, 'server/bin/sheaf.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
