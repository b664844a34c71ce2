// What is exported and imported again changes nothing: over forms and answers of any kind, in every format that import takes
// and with every option of exports.
import { compile, type FormModel, type ModelNode } from '@sheaf/xlsform'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { randomForm } from '../../../../xlsform/test/support/random-forms.js'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import { recordsOf, sendTable } from '../../../test/support/imports.js'
import { instance, send } from '../../../test/support/submissions.js'
import { fieldsOf } from '../../formats/form/index.js'
import { escapeText } from '../../formats/xml/index.js'
import { sql } from '../../platform/db/index.js'

/** A form with its records, exported and imported in nineteen ways, takes seconds: to be found is more than to be small. */
const runs = 6

const app = testApp()
let ana: Account
let made = 0
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

/** Under an id of its own. */
const published = (text: string): Promise<PublishedForm> => {
  made += 1
  return publish(app, ana, text.replace(/\n,"f",/, `\n,"f${made}",`).replace(/\n,"f"$/, `\n,"f${made}"`))
}

/** Titles with what XML escapes are another matter. */
const anyForm = randomForm.filter((text) => !/[<>&]/.test(text.slice(text.lastIndexOf('\nsettings\n'))))

const plainTexts = [
  'Tom',
  'x,"y"',
  'two\nlines',
  'é 😀',
  '=1+1',
  '-a',
  '@x',
  '+44 20 79',
  'a|b',
  '0012',
  'TRUE',
  '1e5',
  "it's",
]
const oddTexts = ["'=x", "''", 'n/a', 'a\\|b', '_x0041_', '%x', '#tag', 'NA', "'+1 2", 'x\r\ny', '[1]']

const plain: Record<string, readonly string[]> = {
  text: plainTexts,
  integer: ['5', '-3', '0'],
  decimal: ['1.5', '-0.25', '12345678.9'],
  date: ['2020-02-29', '1999-12-31'],
  time: ['10:00:00.000+03:00', '23:59:59'],
  datetime: ['2020-02-29T10:00:00.000+03:00', '2020-01-01T00:00:00Z', '2013-01-31T10:00:00.123-05:00'],
  geo: ['-1.5 36.8 0.0 20.0', '1 2 3 4', '0 0 0 0'],
  media: ['a.jpg', 'b c.mp3'],
  select: ['c0', 'c1'],
}

/** What devices send as well, whatever the question. */
const odd: Record<string, readonly string[]> = {
  text: oddTexts,
  integer: ['007', 'seven', '5.0', '99999999999999999999'],
  decimal: ['1.50', '.5', '1e3', 'x'],
  date: ['2020-02-30', 'soon', '2020-01-01T10:00:00Z'],
  time: ['noon', '7:05'],
  datetime: ['2020-02-29', 'x', '2020-02-29T10:00:00.999999+14:00'],
  geo: ['1 2', '-1 2 0 0;3 4 0 0', 'here', '1  2 3 4'],
  media: ['=x.jpg'],
  select: ['zz', 'c1 c0', 'First', '0', 'c0, c1'],
}

type Pick = (options: readonly string[]) => string | undefined

const markup = (nodes: readonly ModelNode[], kinds: ReadonlyMap<string, string>, around: string, pick: Pick): string =>
  nodes
    .map((node): string => {
      const key = around === '' ? node.name : `${around}/${node.name}`
      if (node.kind === 'question') return element(node.name, pick([kinds.get(key) ?? 'none']))
      const inside = () => `<${node.name}>${markup(node.children, kinds, key, pick)}</${node.name}>`
      const entries = node.kind === 'group' ? 1 : Number(pick(['#']))
      return ['meta', 'form'].includes(key) ? '' : Array.from({ length: entries }, inside).join('')
    })
    .join('')

const element = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `<${name}>${escapeText(value)}</${name}>`

/** A stream of choices: whatever is left of them decides. */
const picker = (choices: readonly number[], kindsOfAnswers: readonly (typeof plain)[]): Pick => {
  let at = 0
  const next = () => choices[at++ % choices.length] as number
  return ([kind]) => {
    const number = next()
    if (kind === '#') return String(number % 4)
    if (kind === undefined || kind === 'none' || number % 3 === 0) return undefined
    const answers = kindsOfAnswers.flatMap((of) => of[kind] ?? [])
    return answers[Math.floor(number / 3) % answers.length]
  }
}

const records = fc.array(fc.array(fc.nat({ max: 10_000 }), { minLength: 30, maxLength: 60 }), {
  minLength: 1,
  maxLength: 3,
})

const fill = async (form: PublishedForm, model: FormModel, choices: number[][], of: readonly (typeof plain)[]) => {
  const kinds = new Map(fieldsOf(model).fields.map(({ key, kind }) => [key, kind]))
  for (const one of choices) {
    const xml = instance(form, markup(model.children, kinds, '', picker(one, of)) || '<first>x</first>')
    expect((await send(app, ana, '', xml)).statusCode).toBe(201)
  }
}

interface Trip {
  readonly ending: 'csv' | 'xlsx'
  readonly query: Record<string, string>
  readonly options?: Record<string, string>
}

const csv = (query: Record<string, string> = {}, options: Record<string, string> = {}): Trip => ({
  ending: 'csv',
  query,
  options,
})

const trips: readonly Trip[] = [
  csv(),
  { ending: 'xlsx', query: {} },
  csv({ raw: 'true' }),
  csv({ raw: 'true' }, { raw: 'true' }),
  csv({ na: 'NA' }, { na: 'NA' }),
  csv({ na: '' }),
  csv({ group_delimiter: '.' }),
  csv({ repeat_index_tags: '_' }),
  csv({ repeat_index_tags: '(,)', group_delimiter: '.' }),
  csv({ repeat_index_tags: '.', group_delimiter: '.' }),
  csv({ do_not_split_select_multiples: 'true' }),
  csv({ binary_select_multiples: 'true' }),
  csv({ value_select_multiples: 'true' }),
  csv({ value_select_multiples: 'true', show_choice_labels: 'true' }),
  csv({ show_choice_labels: 'true', do_not_split_select_multiples: 'true' }),
  csv({ remove_group_name: 'true' }),
  csv({ include_labels: 'true' }),
  csv({ include_labels_only: 'true' }),
  csv({ include_images: 'false', win_excel_utf8: 'true', include_reviews: 'true' }),
]

const exported = async (form: PublishedForm, { ending, query }: Trip): Promise<Buffer> => {
  const answer = await app.as(ana)('GET', `/data/${form.formid}.${ending}`, { query })
  expect([query, answer.statusCode]).toEqual([query, 200])
  return answer.rawPayload
}

const imported = async (form: PublishedForm, content: Buffer, { ending, options = {} }: Trip) => {
  const how = ending === 'csv' ? {} : { field: 'xls_file', fileName: 'data.xlsx' }
  const answer = await sendTable(app, ana, form.formid, content, { path: 'import', query: options, ...how })
  return [answer.statusCode, answer.json()] as [number, Record<string, unknown>]
}

const changes = async (form: PublishedForm) => {
  const { versions } = await app.database.db.one<{ versions: number }>(sql`
    select count(*) as versions from submission_versions where form_id = ${form.formid}`)
  return {
    versions,
    records: (await recordsOf(app, form.formid)).map((record) => [record.uuid, record.change_no, record.answers]),
  }
}

describe('an export that is imported again', () => {
  it('changes no record and adds none, whatever the form, the answers, the format and the options', async () => {
    await fc.assert(
      fc.asyncProperty(anyForm, records, async (text, choices) => {
        const form = await published(text)
        await fill(form, compile(Buffer.from(text), { fileName: 'f.csv' }).model, choices, [plain, odd])
        const before = await changes(form)
        for (const trip of trips) {
          const [status, answer] = await imported(form, await exported(form, trip), trip)
          const outcome = status === 200 ? { ...answer, info: '' } : [status, typeof answer.error]
          const nothing = { additions: 0, duplicates: 0, updates: 0, unchanged: choices.length, info: '' }
          expect([trip, answer.error, outcome]).toEqual([
            trip,
            answer.error,
            status === 200 ? nothing : [400, 'string'],
          ])
          if (mustBeRead(trip)) expect([trip, answer.error, status]).toEqual([trip, undefined, 200])
          expect(await changes(form)).toEqual(before)
        }
      }),
      { numRuns: runs, endOnFailure: true },
    )
  }, 600_000)

  it('into another form of the same questions gives the same answers', async () => {
    await fc.assert(
      fc.asyncProperty(anyForm, records, async (text, choices) => {
        const form = await published(text)
        await fill(form, compile(Buffer.from(text), { fileName: 'f.csv' }).model, choices, [plain])
        const answers = await answersOf(form)
        for (const trip of [trips[0], trips[1]] as Trip[]) {
          const other = await published(text)
          expect(await imported(other, await exported(form, trip), trip)).toMatchObject([
            200,
            { additions: choices.length, updates: 0 },
          ])
          expect(await answersOf(other)).toEqual(answers)
        }
      }),
      { numRuns: runs, endOnFailure: true },
    )
  }, 600_000)
})

/** Labels and names without groups may be refused, by name; everything else is read. */
const mustBeRead = ({ query }: Trip): boolean =>
  !['remove_group_name', 'include_labels_only', 'show_choice_labels'].some((name) => name in query)

const withoutBlanks = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value
  return value.map(answered).filter((entry) => Object.keys(entry as object).length > 0)
}

/** An entry without an answer is none. */
const answered = (answers: object): object =>
  Object.fromEntries(
    Object.entries(answers)
      .filter(([key]) => !key.startsWith('meta/') && key !== 'form/uuid')
      .map(([key, value]) => [key, withoutBlanks(value)])
      .filter(([, value]) => !Array.isArray(value) || value.length > 0),
  )

const answersOf = async (form: PublishedForm) =>
  (await recordsOf(app, form.formid)).map(({ answers }) => answered(answers))
