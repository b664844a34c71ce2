// What callers send in any number takes time in proportion to it: lists, names, nested values, long texts.
import { compile, parseXForm } from '@sheaf/xlsform'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../src/budgets.js'
import { othersOfRecord } from '../../src/features/data/tables/others.queries.js'
import { type Faults, readColumns, readItems } from '../../src/features/dataviews/incoming.js'
import { xmlOfJson } from '../../src/features/openrosa/json-instance.js'
import { AuditFactsReader, AuditLogReader } from '../../src/formats/audit/index.js'
import { chartFieldsOf } from '../../src/formats/charts/index.js'
import { shapeOf } from '../../src/formats/columns/index.js'
import { CsvDefuser } from '../../src/formats/csv/index.js'
import { fieldsOf } from '../../src/formats/form/index.js'
import { askedIn, changesOf, columnsOf, csvRows, Draft, merged, readRow } from '../../src/formats/import/index.js'
import { differencesOf } from '../../src/formats/plan/index.js'
import { parseFields, parseQuery, parseSort, QueryFault } from '../../src/formats/query/index.js'
import { rootElementOf } from '../../src/formats/xml/index.js'
import { sql } from '../../src/platform/db/index.js'
import { partInfo } from '../../src/platform/multipart/headers.js'
import { parseTags } from '../../src/platform/words/index.js'
import { sheet } from '../support/forms.js'
import { growthFault } from '../support/growth.js'

const model = (rows: string, choices?: string) =>
  compile(Buffer.from(sheet(rows, { ...(choices !== undefined && { choices }), settings: { form_id: 'f' } })), {
    fileName: 'f.csv',
    allowUnlabelled: true,
  }).model

const small = model('type,name,label\nselect_multiple c,several,S\ntext,name,N', 'list_name,name,label\nc,a,A')
const shape = await shapeOf([fieldsOf(small)])
const asked = await askedIn([small])
const style = { unanswered: '', isRaw: false, isSheet: false, isDayFirst: false }
const numbered = (size: number, text: (number: number) => string): string[] =>
  Array.from({ length: size }, (_, number) => text(number))

const orRefused = (work: () => unknown): void => {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(QueryFault)
  }
}

const repeats = (size: number) =>
  model(`type,name,label\n${numbered(size, (one) => `begin repeat,r${one},R\ntext,x,X\nend repeat,,`).join('\n')}`)

/** Name, size, what is made of the size, what is done with it. */
type Line<T> = readonly [what: string, size: number, made: (size: number) => T | Promise<T>, work: (made: T) => unknown]
const line = <T>(...parts: Line<T>): Line<never> => parts as unknown as Line<never>

describe('four times as much takes four times as long', () => {
  it.each<Line<never>>([
    line(
      'unknown columns of a dataview',
      4900,
      (size) => numbered(size, (one) => `none_${one}`),
      (columns) => {
        const faults: Faults = {}
        readColumns(columns, shape, faults)
        expect(faults.columns).toHaveLength(columns.length)
      },
    ),
    line(
      'columns of a dataview on a form of repeats',
      2000,
      (size) => [repeats(size / 4), numbered(size, (one) => `r${one}`)] as const,
      async ([form, columns]) => readColumns(columns, await shapeOf([fieldsOf(form)]), {}),
    ),
    line(
      'fields of a list',
      100_000,
      (size) => numbered(size, (one) => `f${one}`).join(','),
      (text) => orRefused(() => parseFields(text)),
    ),
    line(
      'fields of a sort',
      100_000,
      (size) => JSON.stringify(Object.fromEntries(numbered(size, (one) => `f${one}`).map((name) => [name, 1]))),
      (text) => orRefused(() => parseSort(text)),
    ),
    line(
      'conditions of a query',
      100_000,
      (size) =>
        JSON.stringify({ $or: numbered(size, (one) => `f${one}`).map((name) => ({ [name]: { $in: [1, 2] } })) }),
      (text) => orRefused(() => parseQuery(text)),
    ),
    line(
      'a query of brackets',
      400_000,
      (size) => '['.repeat(size),
      (text) => orRefused(() => parseQuery(text)),
    ),
    line(
      'a query of quotes',
      400_000,
      (size) => `{"${'\\"'.repeat(size)}`,
      (text) => orRefused(() => parseQuery(text)),
    ),
    line(
      'a query of blanks',
      400_000,
      (size) => `{${' '.repeat(size)}`,
      (text) => orRefused(() => parseQuery(text)),
    ),
    line('tags', 400_000, (size) => numbered(size / 8, (one) => `t${one}`).join(','), parseTags),
    line(
      'parameters of a part',
      400_000,
      (size) => `content-disposition: form-data; ${'name=";'.repeat(size / 7)}`,
      partInfo,
    ),
    line(
      'blanks in a part',
      400_000,
      (size) => `content-disposition: form-data;${'; '.repeat(size / 2)}name`,
      partInfo,
    ),
    line(
      'backslashes in a part',
      400_000,
      (size) => `content-disposition: form-data; name="${'\\'.repeat(size)}`,
      partInfo,
    ),
    line(
      'headings of choices',
      5000,
      (size) => numbered(size, (one) => `several/c${one}`),
      (header) => columnsOf(header, asked),
    ),
    line(
      'headings of the same choice',
      5000,
      (size) => numbered(size, () => 'several/a'),
      (header) => columnsOf(header, asked),
    ),
    line(
      'headings with many slashes',
      500,
      (size) => numbered(size, (one) => `several${'/a'.repeat(900)}${one}`),
      (header) => columnsOf(header, asked),
    ),
    line(
      'headings with many dots',
      500,
      (size) => numbered(size, (one) => `several${'.a'.repeat(900)}${one}`),
      (header) => columnsOf(header, asked),
    ),
    line(
      'cells of a row',
      5000,
      (size) =>
        [
          columnsOf(
            numbered(size, () => 'name'),
            asked,
          ),
          numbered(size, String),
        ] as const,
      ([columns, cells]) => readRow(cells, [], { columns, tables: [], style, dayFirst: new Set() }),
    ),
    line(
      'answers of a row, written into a record',
      5000,
      async (size) => {
        const wide = await askedIn([model(`type,name,label\n${numbered(size, (one) => `text,q${one},Q`).join('\n')}`)])
        const columns = columnsOf(
          numbered(size, (one) => `q${one}`),
          wide,
        )
        return { columns, tables: [], style, dayFirst: new Set<string>(), cells: numbered(size, String) }
      },
      ({ cells, ...layout }) => {
        const row = readRow(cells, [], layout)
        const { changes } = changesOf(row as NonNullable<typeof row>, layout, {
          answers: {},
          files: new Map(),
          names: new Set(),
        })
        const draft = Draft.ofNew({ rootName: 'd', idString: 'f', version: '1', formUuid: 'x' })
        for (const change of changes) draft.apply(change)
        return [draft.xml({ instanceId: 'x' }), merged({}, changes)]
      },
    ),
    line(
      'answers of a row that others have changed since',
      5000,
      async (size) => {
        const wide = await askedIn([model(`type,name,label\n${numbered(size, (one) => `text,q${one},Q`).join('\n')}`)])
        const names = numbered(size, (one) => `q${one}`)
        const of = (text: string) => Object.fromEntries(names.map((name) => [name, text]))
        const layout = { columns: columnsOf(names, wide), tables: [], style, dayFirst: new Set<string>() }
        return { layout, cells: names, before: of('then'), now: of('now') }
      },
      ({ layout, cells, before, now }) => {
        const row = readRow(cells, [], layout)
        const former = { answers: before, since: now }
        const stored = { answers: now, files: new Map(), names: new Set<string>(), former }
        return changesOf(row as NonNullable<typeof row>, layout, stored)
      },
    ),
    line(
      'entries of a row with answers that are no choices',
      5000,
      async (size) => {
        const text = 'type,name,label\nbegin repeat,r,R\nselect_one l,q,Q\nend repeat,,'
        const names = numbered(size, (one) => `r[${one + 1}]/q`)
        const layout = {
          columns: columnsOf(names, await askedIn([model(text, 'list_name,name,label\nl,a,A')])),
          tables: [],
          style,
          dayFirst: new Set<string>(),
        }
        return { layout, cells: names, answers: { r: names.map(() => ({ 'r/q': 'zz' })) } }
      },
      ({ layout, cells, answers }) => {
        const row = readRow(cells, [], layout)
        const stored = { answers, files: new Map(), names: new Set<string>() }
        return changesOf(row as NonNullable<typeof row>, layout, stored)
      },
    ),
    line(
      'versions of a form with one name everywhere',
      2000,
      (size) => shapeOf([fieldsOf(repeats(size))]),
      chartFieldsOf,
    ),
    line(
      'lists of a form, one for each question',
      20_000,
      (size) =>
        model(
          `type,name,label\n${numbered(size, (one) => `select_one l${one},q${one},Q`).join('\n')}`,
          `list_name,name,label\n${numbered(size, (one) => `l${one},a,A`).join('\n')}`,
        ),
      (form) => fieldsOf({ ...form }),
    ),
    line(
      'what is left of a record, of a form of repeats',
      2000,
      (size) => shapeOf([fieldsOf(repeats(size))]),
      (form) => {
        const longRepeats = new Set(form.repeats.map(({ key }) => key))
        return othersOfRecord(
          { shape: form, slots: form.questions, entries: 1, longRepeats, hasMore: true },
          sql`answers`,
        )
      },
    ),
    line(
      'groups that are renamed',
      2000,
      (size) =>
        [repeats(size), model(`type,name,label\n${numbered(size, (one) => `text,n${one},X`).join('\n')}`)] as const,
      ([before, after]) => differencesOf(before, after),
    ),
    line(
      'answers of a submission in JSON',
      40_000,
      (size) => Object.fromEntries(numbered(size, (one) => `g/h${one % 100}/q${one}`).map((key) => [key, 1])),
      (answers) => xmlOfJson(answers, { idString: 'f', version: '1', fields: fieldsOf(small) }),
    ),
    line('instructions before a root', 400_000, (size) => `${'<?a?> <!-- b -->'.repeat(size / 16)}<d/>`, rootElementOf),
    line('an instruction that is not closed', 400_000, (size) => `${'<?a '.repeat(size / 4)}<d/>`, rootElementOf),
    line(
      'cells with a sign',
      2_000_000,
      (size) => Buffer.from(`${'-1 11 x,'.repeat(size / 8)}\n`),
      (bytes) => new CsvDefuser().push(bytes),
    ),
    line(
      'a cell that is all signs',
      2_000_000,
      (size) => Buffer.from(`"${'-'.repeat(size)}"\n`),
      (bytes) => {
        const defuser = new CsvDefuser()
        for (let at = 0; at < bytes.length; at += 1000) defuser.push(bytes.subarray(at, at + 1000))
      },
    ),
    line(
      'lines of a file',
      40_000,
      (size) => [Buffer.from(`a,b\n${'1,"2"\n'.repeat(size)}`)],
      async (chunks) => {
        for await (const _ of csvRows(chunks));
      },
    ),
    line(
      'lines of an audit log',
      40_000,
      (size) =>
        Buffer.from(`event,node,start,end\n${'question,"/a""b",1,2\n'.repeat(size)}"never closed,${','.repeat(size)}`),
      (log) => {
        const reader = new AuditLogReader()
        const facts = new AuditFactsReader()
        for (const one of [...reader.push(log), ...reader.end()]) facts.add(one)
        facts.facts(reader.columns)
      },
    ),
    line(
      'elements of a form',
      4000,
      (size) => {
        const names = numbered(size, (one) => `q${one}`)
        return `<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns="http://www.w3.org/2002/xforms"><h:head><h:title>t</h:title><model><instance><d id="f">${names.map((name) => `<${name}/>`).join('')}</d></instance>${names.map((name) => `<bind nodeset="/d/${name}" type="string"/>`).join('')}</model></h:head><h:body>${names.map((name) => `<input ref="/d/${name}"><label>${name}</label></input>`).join('')}</h:body></h:html>`
      },
      parseXForm,
    ),
    line(
      'prefixes of a form',
      4000,
      (size) =>
        `<h:html xmlns:h="http://www.w3.org/1999/xhtml" ${numbered(size / 8, (one) => `xmlns:p${one}="x"`).join(' ')} xmlns="http://www.w3.org/2002/xforms"><h:head><h:title>t</h:title><model><instance><d id="f">${numbered(size, (one) => `<q${one} xmlns:z="y"/>`).join('')}</d></instance></model></h:head><h:body/></h:html>`,
      parseXForm,
    ),
  ])('%s', { timeout: 120_000 }, async (_what, size, made, work) => {
    expect(await growthFault(size, made, work)).toBeUndefined()
  })

  it('entries of a repeat take no longer on a form with many questions beside them', async () => {
    const wide = (size: number) =>
      model(`type,name,label\nbegin repeat,r,R\n${numbered(size, (one) => `text,q${one},Q`).join('\n')}\nend repeat,,`)
    const both = (size: number) => [wide(size), numbered(size, (one) => `r[${one + 1}]/q${one}`)] as const
    expect(
      await growthFault(4000, both, async ([form, header]) => columnsOf(header, await askedIn([form]))),
    ).toBeUndefined()
  })
})

describe('bounds of the query language', () => {
  const { query } = budgets
  const nested = (depth: number) => {
    const groups = Math.floor((depth - 2) / 2)
    const innermost = depth % 2 === 0 ? '{"a":{"$exists":true}}' : '{"a":{"$in":[1]}}'
    return `${'{"$and":['.repeat(groups)}${innermost}${']}'.repeat(groups)}`
  }
  it.each<[string, number, (size: number) => unknown]>([
    ['budgets.query.depth', query.depth, (size) => parseQuery(nested(size))],
    [
      'budgets.query.sortKeys',
      query.sortKeys,
      (size) =>
        parseSort(JSON.stringify(Object.fromEntries(numbered(size, (one) => `f${one}`).map((name) => [name, 1])))),
    ],
    ['budgets.query.fields', query.fields, (size) => parseFields(numbered(size, (one) => `f${one}`).join())],
    [
      'budgets.query.conditions',
      query.conditions,
      (size) =>
        parseQuery(JSON.stringify({ $or: numbered(size - 1, (one) => `f${one}`).map((name) => ({ [name]: 1 })) })),
    ],
    // The object and the list count too.
    ['budgets.query.values', query.values, (size) => parseFields(JSON.stringify(numbered(size - 1, () => 'f')))],
  ])('%s hold at the limit, and one past it is refused', (_name, most, read) => {
    expect(() => read(most)).not.toThrow()
    expect(() => read(most + 1)).toThrow(QueryFault)
  })

  it('budgets.headings.characters hold at the limit, and one past it means nothing', async () => {
    const heading = (length: number) => `several/${'a'.repeat(length - 8)}`
    const form = await askedIn([model('type,name,label\nselect_multiple_from_file x.csv,several,S')])
    const { characters } = budgets.headings
    expect(columnsOf([heading(characters), heading(characters + 1)], form).extra).toEqual([heading(characters + 1)])
  })

  it('budgets.dataviews.columns, budgets.dataviews.conditions and budgets.dataviews.valueCharacters hold at the limit, and one past it is refused', () => {
    const { columns, conditions, valueCharacters } = budgets.dataviews
    const faultsOf = (read: (faults: Faults) => unknown) => {
      const faults: Faults = {}
      read(faults)
      return String(Object.values(faults).flat())
    }
    const names = (size: number) => numbered(size, (one) => `c${one}`)
    const items = (size: number) => numbered(size, () => '').map(() => ({ column: 'name', filter: '=', value: 'x' }))
    const longValue = (size: number) => [{ column: 'name', filter: '=', value: 'x'.repeat(size) }]
    expect(faultsOf((faults) => readColumns(names(columns), undefined, faults))).toBe('')
    expect(faultsOf((faults) => readColumns(names(columns + 1), undefined, faults))).toContain(String(columns))
    expect(faultsOf((faults) => readItems(items(conditions), shape, faults))).toBe('')
    expect(faultsOf((faults) => readItems(items(conditions + 1), shape, faults))).toContain(String(conditions))
    expect(faultsOf((faults) => readItems(longValue(valueCharacters), shape, faults))).toBe('')
    expect(faultsOf((faults) => readItems(longValue(valueCharacters + 1), shape, faults))).toContain(
      String(valueCharacters),
    )
  })
})
