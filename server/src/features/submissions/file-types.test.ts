// What a file that was sent is taken for.
import { expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { publish, sheet } from '../../../test/support/forms.js'
import { instance, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The beginning of a container of sound, moving pictures or both. */
const mp4 = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')

it('the content decides what a file is, whatever it is called; it is never refused', async () => {
  const ana = await app.account()
  const cases: [name: string, content: string | Buffer, declared: string, taken: string][] = [
    ['a.png', '<html><script>alert(1)</script></html>', 'image/png', 'application/octet-stream'],
    ['aa.png', '<html><script>alert(1)</script></html>', 'IMAGE/PNG', 'application/octet-stream'],
    ['b.png', png, 'application/octet-stream', 'image/png'],
    ['c.jpg', png, 'image/jpeg', 'image/png'],
    ['d.mp3', png, 'audio/mpeg', 'image/png'],
    // Who sends it knows whether there are pictures to the sound.
    ['e.mp4', mp4, 'Audio/MP4', 'audio/mp4'],
    ['f.mp4', mp4, 'text/plain', 'video/mp4'],
    ['g.csv', 'a,b', 'Text/CSV', 'text/csv'],
    ['h.csv', 'a,b', '*/*', 'text/csv'],
    ['hh.csv', 'a,b', 'Application/Octet-Stream', 'text/csv'],
    ['i', 'a,b', 'nonsense', 'application/octet-stream'],
  ]
  const survey = cases.map((_, place) => `file,file_${place},File`).join('\n')
  const form = await publish(app, ana, sheet(`type,name,label\n${survey}`, { settings: { form_id: 'files' } }))
  const answers = cases.map(([name], place) => `<file_${place}>${name}</file_${place}>`).join('')
  const files = cases.map(([name, content, type]) => ({ name, content, type }))
  expect((await send(app, ana, '', instance(form, answers), files)).statusCode).toBe(201)
  const stored = await app.deps.db.rows(sql`
    select name, mimetype as taken from attachments where form_id = ${form.formid} order by name collate "C"`)
  expect(stored).toEqual(cases.map(([name, , , taken]) => ({ name, taken })))
})
