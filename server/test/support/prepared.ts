// A database that was set up before. Setting one up takes longer than most tests that need one: so they get a copy.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const run = promisify(execFile)

/** `folder` is that of the built-in PostgreSQL, which is made. The copy is migrated, and as empty as after a first start. */
export const prepareDatabase = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await run('cp', ['-a', inject('preparedData'), join(folder, 'cluster')])
}
