// Labels in place of names of choices, however long the list, and in whichever way they are looked up.
import { read, utils } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { put, unzipped, useForm } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'
import { budgets } from '../../../budgets.js'
import { type FormShape, otherSlot, type Slot } from '../../../formats/columns/index.js'
import { choiceWords } from './choice-words.js'
import { fillingOf } from './shown-cells.js'

const app = testApp()

const formWith = (questions: number, choices: readonly string[]) => `
| survey  |
|         | type              | name | label |
${Array.from({ length: questions }, (_, at) => `| | select_one v | one${at} | One ${at} |`).join('\n')}
|         | select_multiple v | many | Many  |
|         | begin repeat      | kids | Kids  |
|         | select_multiple v | kid  | Kid   |
|         | end repeat        |      |       |
| choices |
|         | list_name | name | label::English (en) | label::French (fr) |
${choices.join('\n')}
`

const choicesUpTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `| | v | c${at} | Choice ${at} | Choix ${at} |`)

const query = { show_choice_labels: 'true', split_select_multiples: 'false', language: 'French (fr)' }

type Row = Record<string, string>

const readers: Readonly<Record<string, (bytes: Buffer) => Promise<Row[]>>> = {
  csv: async (bytes) => parse(bytes, { columns: true }),
  csvzip: async (bytes) => parse((await unzipped(bytes)).get('data.csv') as Buffer, { columns: true }),
  xlsx: async (bytes) => utils.sheet_to_json<Row>(read(bytes).Sheets.data as never, { defval: 'n/a' }),
}

const rowsOf = async (ana: Account, form: TestForm, format: string): Promise<Row[]> => {
  const answer = await app.as(ana)('GET', `/data/${form.id}.${format}`, { query })
  expect(answer.statusCode).toBe(200)
  return (readers[format] as (bytes: Buffer) => Promise<Row[]>)(answer.rawPayload)
}

describe.each([
  ['short', 10],
  ['long', 20_000],
])('show_choice_labels with a %s list of %i choices', (_, count) => {
  const place = useForm(app, { versions: [formWith(3, choicesUpTo(count))] })

  beforeAll(async () => {
    await put(
      app,
      place.form,
      {
        answers: {
          one0: 'c1',
          one1: `c${count - 1}`,
          one2: 'unknown',
          many: 'c2 c0 other',
          kids: [{ 'kids/kid': 'c3' }],
        },
      },
      { answers: { one0: '__proto__', many: 'c1  c1' } },
    )
  })

  it.each(['csv', 'csvzip', 'xlsx'])(
    '200 for %s, with the label of each, and the name of what is no choice',
    async (format) => {
      const rows = await rowsOf(place.ana, place.form, format)
      const shown = rows.map(({ one0, one1, one2, many }) => [one0, one1, one2, many])
      expect(shown).toEqual([
        ['Choix 1', `Choix ${count - 1}`, 'unknown', 'Choix 2, Choix 0, other'],
        ['__proto__', 'n/a', 'n/a', 'Choix 1, , Choix 1'],
      ])
      if (format === 'csv') expect(rows[0]?.['kids[1]/kid']).toBe('Choix 3')
    },
  )
})

const labelled = (name: string) => ({
  name,
  labels: [{ language: null, text: `Label of ${name}` }],
  media: [],
  data: [],
})

/** A form of so many questions that share one list. */
const shapeWith = (questions: number, choices: NonNullable<Slot['choices']>): FormShape => {
  const slots = Array.from({ length: questions }, (_, at) => ({
    ...otherSlot(`q${at}`, []),
    kind: 'select' as const,
    type: 'select_one',
    choices,
  }))
  return {
    rootName: 'data',
    questions: slots,
    meta: [],
    repeats: [],
    languages: [],
    slotsOf: () => [],
    hasRepeat: () => false,
  }
}

const others = async (work: Promise<unknown>): Promise<number> => {
  let turns = 0
  let isDone = false
  const counted = (async () => {
    for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve))
  })()
  await work
  isDone = true
  await counted
  return turns
}

describe('the words of a long list', () => {
  const options = { hasChoiceLabels: true, language: undefined }

  it('are looked at once for all questions that share it, and others have their turn in between', async () => {
    let looks = 0
    const choices = Array.from({ length: 50_000 }, (_, at) => {
      const choice = labelled(`c${at}`)
      return {
        ...choice,
        get labels() {
          looks += 1
          return choice.labels
        },
      }
    })
    const shape = shapeWith(50, choices)
    expect(await others(choiceWords(shape, options))).toBeGreaterThan(10)
    const first = looks
    expect(first).toBeLessThan(6 * choices.length)
    const words = await choiceWords(shape, options)
    expect(looks).toBe(first)
    const labels = shape.questions.map((slot) => words.labelsOf(slot))
    expect(new Set(labels).size).toBe(1)
    expect(labels[0]?.byName.get('c49999')).toBe('Label of c49999')
  })

  it('are known to the guard once one of them is read as a formula', async () => {
    const plain = await choiceWords(shapeWith(2, [labelled('a')]), options)
    const formula = await choiceWords(shapeWith(2, [labelled('a'), labelled('=b')]), options)
    expect([plain.unguarded.size, [...formula.unguarded]]).toEqual([0, ['a', 'Label of a', '=b', 'Label of =b']])
  })
})

describe('labels in one row', () => {
  const long = 'x'.repeat(1000)
  const byName = new Map([['a', long]])
  const column = (isList: boolean) => ({ shown: { labels: { byName, longest: long.length }, isList } })

  it('are shown of answers up to budgets.tables.labelledCharacters; a longer one shows names', () => {
    const fill = fillingOf([column(true)])
    const most = budgets.tables.labelledCharacters
    const unknown = 'b'.repeat(most - 2)
    for (const [text, made] of [
      [`${unknown} a`, `${unknown}, ${long}`],
      [`${unknown}b a`, `${unknown}b a`],
    ]) {
      const cells = [text as string]
      fill?.(cells)
      expect(cells[0] === made).toBe(true)
    }
  })

  it('have budgets.tables.labelCharacters together; what comes behind them shows names', () => {
    const count = budgets.tables.labelCharacters / long.length
    const cells = Array.from({ length: count + 2 }, (_, at) => (at === 0 ? 'unknown' : 'a'))
    fillingOf(cells.map(() => column(false)))?.(cells)
    expect(cells.slice(-2)).toEqual([long, 'a'])
    const listed = ['a '.repeat(count).trim(), 'a a']
    fillingOf(listed.map(() => column(true)))?.(listed)
    expect(listed).toEqual([`${long}, `.repeat(count).slice(0, -2), 'a a'])
  })
})
