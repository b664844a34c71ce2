// What the ODK Web Forms engine makes of our XForm is accepted, and comes back with the same answers.
import { JSDOM } from 'jsdom'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish, sheet } from '../../../test/support/forms.js'
import { send } from '../../../test/support/submissions.js'

// The engine wants a browser's document; everything that Node has itself stays Node's, for the server's sake.
const { window } = new JSDOM('', { url: 'http://localhost/' })
for (const name of Object.getOwnPropertyNames(window)) {
  if (!(name in globalThis)) Object.assign(globalThis, { [name]: window[name as keyof typeof window] })
}
const { fillNode, openForm } = await import('../../../../xlsform/test/support/engine.js')

type Root = Awaited<ReturnType<typeof openForm>>

const serialise = async (root: Root): Promise<string> => {
  const { data } = await root.prepareInstancePayload({ payloadType: 'monolithic' })
  return (data[0].get('xml_submission_file') as Blob).text()
}

const app = testApp()
let ana: Account
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const survey = sheet(
  `type,name,label
   start,start,
   text,name,Name
   integer,age,Age
   decimal,weight,Weight
   date,born,Born
   select_one yn,ok,All well?
   select_multiple fruit,likes,Likes
   geopoint,place,Place
   begin group,house,House
   integer,rooms,Rooms
   begin repeat,child,Child
   text,child_name,Name
   integer,child_age,Age
   end repeat,,
   end group,,`,
  {
    choices: 'list_name,name,label\nyn,yes,Yes\nyn,no,No\nfruit,apple,Apple\nfruit,pear,Pear',
    settings: { form_id: 'engine', version: '3' },
  },
)

/** Every leaf with text, by path; the order of repeats kept. */
const leaves = (element: Element, path = ''): [string, string][] =>
  [...element.children].flatMap((child) => {
    const key = path === '' ? child.localName : `${path}/${child.localName}`
    if (child.children.length > 0) return leaves(child, key)
    const text = child.textContent?.trim() ?? ''
    return text === '' ? [] : [[key, text] as [string, string]]
  })

const recordLeaves = (record: Record<string, unknown>): [string, string][] =>
  Object.entries(record).flatMap(([key, value]) => {
    if (key.startsWith('_')) return []
    if (typeof value === 'string') return [[key, value] as [string, string]]
    return Array.isArray(value) ? value.flatMap((entry) => recordLeaves(entry as Record<string, unknown>)) : []
  })

describe('a form filled in by the ODK Web Forms engine', () => {
  it('is accepted, and /data gives the same answers back', async () => {
    const published = await publish(app, ana, survey)
    const downloaded = await app.page('GET', `/ana/forms/${published.formid}/form.xml`)
    const root = await openForm(downloaded.body)
    expect(fillNode(root)).toBeGreaterThan(10)
    const xml = await serialise(root)
    const answer = await send(app, ana, '', xml)
    expect([answer.statusCode, answer.body]).toEqual([201, expect.stringContaining('Successful submission.')])
    const [record] = (await app.as(ana)('GET', `/data/${published.formid}`)).json()
    const sent = leaves(new DOMParser().parseFromString(xml, 'text/xml').documentElement)
    expect(sent.length).toBeGreaterThan(12)
    expect(recordLeaves(record).sort()).toEqual(sent.sort())
    expect(record['form/uuid']).toBe(published.uuid)
    expect(`uuid:${record._uuid}`).toBe(record['meta/instanceID'])
  })
})
