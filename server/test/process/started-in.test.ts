// Commands are started in folders of others: by sudo, by a timer, from somewhere.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sheaf, workplace } from '../support/process.js'

let place: Awaited<ReturnType<typeof workplace>>
beforeAll(async () => {
  place = await workplace()
})
afterAll(() => place.clean())

/** On a database without tables, so that the queue is made too. */
const migrateIn = async (folder: string) =>
  sheaf(['migrate'], { DATA_DIR: await mkdtemp(join(place.folder, 'data-')) }, '', undefined, folder)

it.each(['.graphile-workerrc.cjs', 'graphile-worker.config.js'])(
  'what lies in the folder that a command is started in is not run: %s',
  async (name) => {
    const folder = join(place.folder, 'of-others')
    const trace = join(place.folder, 'was-run')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, name), `require('node:fs').writeFileSync(${JSON.stringify(trace)}, '')`)
    const { code, stderr } = await migrateIn(folder)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
    expect(existsSync(trace)).toBe(false)
  },
)

it('what cannot be read there is no fault', async () => {
  const folder = join(place.folder, 'unreadable')
  // Read by nobody, not even by those who may read everything.
  await mkdir(join(folder, 'package.json'), { recursive: true })
  await mkdir(join(folder, '.graphile-workerrc'))
  const { code, stderr } = await migrateIn(folder)
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
})
