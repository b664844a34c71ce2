// A disk without room for files. It needs the right to mount one, and is left out without it; a store elsewhere that is
// full is tried in full-store.test.ts.
import { rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, TestApp } from '../../../test/support/app.js'
import { type SmallDisk, smallDisk } from '../../../test/support/disk.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { instance, newId, submissionBody } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

let disk: SmallDisk
let app: TestApp
let ana: Account
let form: PublishedForm
let address: string

beforeAll(async () => {
  disk = smallDisk('4m')
  app = new TestApp({ FILES_URL: disk.folder })
  await app.open()
  ana = await app.account({ username: 'ana' })
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(app.http.app.server.address() as AddressInfo).port}`
  form = await publish(app, ana, sheet('type,name,label\nfile,one,One\nfile,two,Two'))
})
afterAll(async () => {
  await app.close()
  disk.remove()
})

const fill = () => {
  try {
    for (let number = 0; ; number++) writeFileSync(join(disk.folder, `.ballast${number}`), Buffer.alloc(64 * 1024))
  } catch {
    // Full.
  }
}

/** Over a socket: what is refused in the middle is still on its way. */
const submit = async (size: number): Promise<number> => {
  const files = ['a.bin', 'b.bin'].map((name) => ({ name, content: Buffer.alloc(size, name) }))
  const { body, headers } = submissionBody(instance(form, '<one>a.bin</one><two>b.bin</two>', { id: newId() }), files)
  const answer = await fetch(`${address}/ana/submission`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { ...headers, authorization: `Token ${ana.apiToken}` },
  })
  await answer.text()
  return answer.status
}

describe('a full disk', () => {
  beforeEach(({ skip }) => skip(!disk.isMounted, 'this user may not mount a disk'))

  it('200 at /readyz, which says so: whoever reads is not kept out with those who send files', async () => {
    fill()
    const ready = await app.page('GET', '/readyz')
    expect([ready.statusCode, ready.json()]).toMatchObject([200, { status: 'ready', files: 'full' }])
  })

  it.each([100, 150_000, 200_000, 400_000, 2_000_000])(
    '507 for files of %i bytes, whole or in the middle of it; nothing is left of them',
    async (size) => {
      fill()
      const statuses = []
      for (let number = 0; number < 5; number++) statuses.push(await submit(size))
      expect(statuses).toEqual([507, 507, 507, 507, 507])
      const { count } = await app.database.db.one<{ count: number }>(sql`select count(*) from pending_files`)
      expect([count, await readdir(join(disk.folder, '.incoming'))]).toEqual([0, []])
      for (const name of (await readdir(disk.folder)).filter((one) => one.startsWith('.ballast')))
        rmSync(join(disk.folder, name))
      expect(await submit(100)).toBe(201)
    },
  )
})
