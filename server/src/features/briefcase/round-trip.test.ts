// From one server to another as Briefcase carries it: what is pulled here and pushed there is the same data.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, type TestApp, testApp } from '../../../test/support/app.js'
import { allIds, pullerOf, textsIn } from '../../../test/support/briefcase.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, newId, send, submissionBody } from '../../../test/support/submissions.js'

const [here, there] = [testApp(), testApp()]
let ana: Account
let ben: Account
let form: PublishedForm

const survey = (version: string) =>
  sheet(
    `type,name,label
     text,name,Name
     image,photo,Photo
     begin repeat,kids,Kids
     text,kid,Kid
     file,paper,Paper
     end repeat,,`,
    { settings: { form_id: 'carried', version } },
  )

beforeAll(async () => {
  ana = await here.account({ username: 'ana' })
  ben = await there.account({ username: 'ben' })
  form = await publish(here, ana, survey('1'))
})

interface Carried {
  name: string
  kids: { kid: string; paper: string | undefined }[]
  photo: string | undefined
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const sent = async (record: Carried, at: number) => {
  const files = [
    ...(record.photo === undefined ? [] : [{ name: `photo ${at}.jpg`, content: Buffer.from(record.photo, 'latin1') }]),
    ...record.kids.flatMap(({ paper }, kid) =>
      paper === undefined ? [] : [{ name: `paper${at}-${kid}.bin`, content: Buffer.from(paper, 'latin1') }],
    ),
  ]
  const kids = record.kids.map(
    ({ kid, paper }, place) =>
      `<kids><kid>${escaped(kid)}</kid><paper>${paper === undefined ? '' : `paper${at}-${place}.bin`}</paper></kids>`,
  )
  const photo = record.photo === undefined ? '' : `photo ${at}.jpg`
  const answers = `<name>${escaped(record.name)}</name><photo>${photo}</photo>${kids.join('')}`
  const answer = await send(here, ana, '/ana', instance(form, answers, { id: newId() }), files)
  if (answer.statusCode !== 201) throw new Error(answer.body)
}

/** The form as devices get it, to the other server. */
const pushForm = async () => {
  const { body: xml } = await pullerOf(here, ana).get('/ana/formXml?formId=carried')
  const { body, headers } = multipart([
    { name: 'form_def_file', filename: 'carried.xml', type: 'application/xml', content: xml },
  ])
  const answer = await there.page('POST', '/ben/formUpload', {
    body,
    headers: { ...headers, authorization: `Token ${ben.apiToken}` },
  })
  if (answer.statusCode !== 201) throw new Error(answer.body)
}

/** What Briefcase stores of a record is what stands in `data`, beside its files. */
const carry = async (puller: ReturnType<typeof pullerOf>, id: string): Promise<number> => {
  const { body } = await puller.record('carried', id)
  const xml = /<submission [^>]*><data>([\s\S]*)<\/data>(?:<mediaFile>|<\/submission>)/.exec(body)?.[1] ?? ''
  const names = textsIn(body, 'filename')
  const files = await Promise.all(
    textsIn(body, 'downloadUrl').map(async (address, at) => ({
      name: names[at] ?? '',
      content: (await puller.get(new URL(address).pathname)).bytes,
    })),
  )
  const { body: parts, headers } = submissionBody(xml, files)
  const given = { body: parts, headers: { ...headers, authorization: `Token ${ben.apiToken}` } }
  return (await there.page('POST', '/ben/submission', given)).statusCode
}

interface Shown {
  _uuid: string
  _submission_time: string
  _version: string
  _attachments: { name: string; download_url: string }[]
  [key: string]: unknown
}

/** Answers, ids, times and the bytes of files, by instance id. */
const dataOf = async (app: TestApp, account: Account) => {
  const forms = (await app.as(account)('GET', '/forms')).json() as { formid: number; id_string: string }[]
  const formId = forms.find(({ id_string }) => id_string === 'carried')?.formid
  const records = (await app.as(account)('GET', `/data/${formId}`)).json() as Shown[]
  const shown = records.map(async ({ _uuid, _submission_time, _version, _attachments, ...rest }) => {
    const answers = Object.entries(rest).filter(([key]) => !key.startsWith('_') && key !== 'form/uuid')
    const files = _attachments.map(async ({ name, download_url: address }) => {
      const path = address.replace('/api/v1', '')
      return [name, (await app.as(account)('GET', path)).rawPayload.toString('latin1')]
    })
    return [
      _uuid,
      { _submission_time, _version, answers: Object.fromEntries(answers), files: await Promise.all(files) },
    ]
  })
  return Object.fromEntries(await Promise.all(shown))
}

const text = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', ' ', '<', '&', '"', "'", ']]>', '\n'),
  minLength: 1,
  maxLength: 12,
})
const bytes = fc.option(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 30 }), { nil: undefined })
const record: fc.Arbitrary<Carried> = fc.record({
  name: text,
  photo: bytes,
  kids: fc.array(fc.record({ kid: text, paper: bytes }), { maxLength: 3 }),
})

describe('a form and its records', () => {
  it('pulled from one server and pushed to another are the same answers, ids, times and files; carried again, nothing changes', async () => {
    const puller = pullerOf(here, ana, '/ana')
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 4 }), async (records) => {
        for (const one of records) await sent(one, ++count)
        await pushForm()
        const statuses: number[] = []
        for (const id of await allIds(puller, 'carried', 3)) statuses.push(await carry(puller, id))
        expect(statuses.filter((status) => status === 201)).toHaveLength(records.length)
        expect(statuses.every((status) => status === 201 || status === 202)).toBe(true)
        expect(await dataOf(there, ben)).toEqual(await dataOf(here, ana))
      }),
      { numRuns: 4, endOnFailure: true },
    )
  })
})
