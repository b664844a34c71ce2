// What callers send and ask for, at its bounds: exactly at one it works, one past it is refused in words.
import { beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../src/budgets.js'
import { sql } from '../src/platform/db/index.js'
import { pageOf } from '../src/platform/http/index.js'
import { textFault } from '../src/platform/http/text-faults.js'
import { type Account, testApp } from './support/app.js'
import { type PublishedForm, publish } from './support/forms.js'
import { multipart, type Part } from './support/multipart.js'
import { instance, send } from './support/submissions.js'

const app = testApp({ DATABASE_STATEMENT_SECONDS: '1', DATABASE_STREAM_SECONDS: '1' })
let ana: Account
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana)
})

const statusOf = async (answer: ReturnType<ReturnType<typeof app.as>>) => (await answer).statusCode

/** The statuses of a body at its bound, and of one past it. */
const around = async (most: number, status: (size: number) => Promise<number>) => [
  await status(most),
  await status(most + 1),
]

const fields = (parts: readonly Part[]) => {
  const { body, headers } = multipart(parts)
  return statusOf(app.as(ana)('POST', '/projects', { body, headers }))
}

let projects = 0
const named = (): Part => ({ name: 'name', content: `Water ${++projects}` })

describe('bodies', () => {
  it('budgets.bodies.bytes of JSON', async () => {
    const padded = (size: number) => '{"name":"Water"}'.padEnd(size)
    const status = (size: number) =>
      statusOf(
        app.as(ana)('POST', '/projects', { body: padded(size), headers: { 'content-type': 'application/json' } }),
      )
    expect(await around(budgets.bodies.bytes, status)).toEqual([201, 413])
  })

  it('budgets.bodies.fields of a multipart body', async () => {
    const status = (count: number) =>
      fields([named(), ...Array.from({ length: count - 1 }, (_, n) => ({ name: `f${n}`, content: 'x' }))])
    expect(await around(budgets.bodies.fields, status)).toEqual([201, 413])
  })

  it('budgets.bodies.fieldBytes of one field', async () => {
    const status = (size: number) => fields([named(), { name: 'other', content: 'x'.repeat(size) }])
    expect(await around(budgets.bodies.fieldBytes, status)).toEqual([201, 413])
  })

  it('budgets.bodies.uploadFieldsBytes of all fields beside a file', async () => {
    const half = budgets.bodies.uploadFieldsBytes / 2
    const status = (size: number) => {
      const { body, headers } = multipart([
        { name: 'a', content: 'x'.repeat(half) },
        { name: 'b', content: 'x'.repeat(size - half) },
      ])
      return statusOf(app.as(ana)('POST', '/forms', { body, headers }))
    }
    expect(await around(budgets.bodies.uploadFieldsBytes, status)).toEqual([400, 413])
  })

  it('budgets.bodies.levels of a JSON value', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])
    expect(textFault(nested(budgets.bodies.levels))).toBeUndefined()
    expect(textFault(nested(budgets.bodies.levels + 1))).toMatch(/no deeper than 64 levels/)
  })

  it('budgets.bodies.submissionBytes of what is no file of a submission', async () => {
    const xml = instance(form, '<name>Ana</name>', { id: '5b2cc313-fc09-437e-8149-fcd32f695d41' })
    const file = { name: 'a.bin', filename: 'a.bin', content: Buffer.alloc(1000) }
    const status = (size: number) => {
      const other = 'x'.repeat(size - xml.length)
      const { body, headers } = multipart([
        { name: 'xml_submission_file', content: xml },
        { name: 'other', content: other },
        file,
      ])
      const authorization = `Token ${ana.apiToken}`
      return statusOf(app.page('POST', '/ana/submission', { body, headers: { ...headers, authorization } }))
    }
    expect(await around(budgets.bodies.submissionBytes, status)).toEqual([201, 413])
  })

  it('budgets.bodies.submissionParts of a submission', async () => {
    const status = (count: number) => {
      const files = Array.from({ length: count - 1 }, (_, n) => ({ name: `${n}.bin`, content: 'x' }))
      return statusOf(send(app, ana, '/ana', instance(form, '<name>Ana</name>'), files))
    }
    expect(await around(budgets.bodies.submissionParts, status)).toEqual([201, 400])
  })

  it('budgets.bodies.submissionXmlBytes of its XML', async () => {
    const empty = instance(form, '<name></name>').length
    const status = (size: number) =>
      statusOf(send(app, ana, '/ana', instance(form, `<name>${'x'.repeat(size - empty)}</name>`)))
    expect(await around(budgets.bodies.submissionXmlBytes, status)).toEqual([201, 413])
  })

  it('budgets.bodies.formBytes of a form', async () => {
    const status = (size: number) => {
      const { body, headers } = multipart([{ name: 'xls_file', filename: 'f.csv', content: 'x'.repeat(size) }])
      return statusOf(app.as(ana)('POST', '/forms', { body, headers }))
    }
    expect(await around(budgets.bodies.formBytes, status)).toEqual([400, 413])
  })

  it.each([
    ['budgets.bodies.mediaBytes', budgets.bodies.mediaBytes, 'places.geojson'],
    ['budgets.bodies.largeMediaBytes', budgets.bodies.largeMediaBytes, 'list.csv'],
  ])('%s of a file of a form', async (_name, most, filename) => {
    const status = (size: number) => {
      const { body, headers } = multipart([
        { name: 'xform', content: String(form.formid) },
        { name: 'data_type', content: 'media' },
        { name: 'data_value', content: filename },
        { name: 'data_file', filename, type: 'text/plain', content: 'x'.repeat(size) },
      ])
      return statusOf(app.as(ana)('POST', '/metadata', { body, headers }))
    }
    const [at, past] = await around(most, status)
    expect(at).toBe(201)
    expect([400, 413]).toContain(past)
  })
})

describe('answers', () => {
  it('budgets.answers.pageSize of a page; more is that much', () => {
    const sizeOf = (size: number) => pageOf({ page_size: String(size) }, 1_000_000).size
    const most = budgets.answers.pageSize
    expect([sizeOf(most), sizeOf(most + 1)]).toEqual([most, most])
  })

  it('budgets.answers.textBytes of records in one text; more are a stream, and look the same', async () => {
    const other = await publish(app, ana)
    const list = async (answer: string) => {
      const sent = await send(app, ana, '/ana', instance(other, `<name>${answer}</name>`))
      expect(sent.statusCode).toBe(201)
      // One field: the others are times and ids, whose lengths differ.
      const query = { sort: '{"_id":-1}', limit: '1', fields: '["name"]' }
      const found = await app.as(ana)('GET', `/data/${other.formid}`, { query })
      return { isText: found.headers['content-length'] !== undefined, length: found.body.length, records: found.json() }
    }
    const around = (await list('x')).length - '[x]'.length
    const [at, past] = [await list(answerOf(around, 0)), await list(answerOf(around, 1))]
    expect([at.isText, past.isText]).toEqual([true, false])
    expect(at.length).toBe(budgets.answers.textBytes + '[]'.length)
    expect(past.records[0].name.length - at.records[0].name.length).toBe(1)
  })
})

/** So long that the text of its record is as long as it may be, or so much longer. */
const answerOf = (around: number, more: number) => 'x'.repeat(budgets.answers.textBytes - around + more)

describe('a statement that takes longer than DATABASE_STATEMENT_SECONDS', () => {
  it('503 that says what to do, for whoever asked; others go on', async () => {
    await app.database.db.background.transaction(async (tx) => {
      await tx.run(sql`lock table submission_notes`)
      const answer = await app.as(ana)('GET', '/notes')
      expect([answer.statusCode, answer.headers['retry-after'], answer.json().detail]).toEqual([
        503,
        '60',
        expect.stringMatching(/takes longer than the server allows. Ask for less at once/),
      ])
      expect(await statusOf(app.as(ana)('GET', '/user'))).toBe(200)
    })
    expect(await statusOf(app.as(ana)('GET', '/notes'))).toBe(200)
  })
})
