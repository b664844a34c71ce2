// A database whose disk is full when it is started. It needs the right to mount a disk, and is left out without it.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { smallDisk } from '../../../../test/support/disk.js'
import { fast } from '../../../../test/support/embedded.js'
import { prepareDatabase } from '../../../../test/support/prepared.js'
import { startEmbeddedPostgres } from './index.js'

const disk = smallDisk('200m')
afterAll(() => disk.remove())

it('says that room is wanted, not another database, and starts with its data once there is room', async ({ skip }) => {
  skip(!disk.isMounted, 'this user may not mount a disk')
  const folder = join(disk.folder, 'postgres')
  const ballast = join(disk.folder, 'ballast')
  await prepareDatabase(folder)
  const start = () => startEmbeddedPostgres({ folder, settings: fast })
  const first = await start()
  process.kill(first.pid, 'SIGKILL')
  await first.stop()
  expect(() => writeFileSync(ballast, Buffer.alloc(200_000_000))).toThrow('ENOSPC')
  const refusal = await start().catch((error: Error) => error.message)
  expect(refusal).toContain('Make room for 100 MB or more and start again: nothing that was acknowledged is lost.')
  expect(refusal).not.toContain('DATABASE_URL')
  rmSync(ballast)
  const second = await start()
  await second.stop()
})
