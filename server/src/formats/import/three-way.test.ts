import { compile } from '@sheaf/xlsform'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answers } from '../instance/index.js'
import { askedIn, changesOf, columnsOf, type Layout, merged, readRow } from './index.js'

const names = ['a', 'b', 'c']
const form = `survey\n,type,name,label\n${names.map((name) => `,text,${name},${name}`).join('\n')}\nsettings\n,form_id\n,f`
const { model } = compile(Buffer.from(form), { fileName: 'f.csv' })
const layout: Layout = {
  columns: columnsOf(names, await askedIn([model])),
  tables: [],
  style: { unanswered: '', isRaw: false, isSheet: false, isDayFirst: false },
  dayFirst: new Set(),
}

const texts = fc.constantFrom('', 'x', 'y', 'z')
const version = fc.tuple(texts, texts, texts)
const answersOf = (values: readonly string[]): Answers =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']).filter(([, text]) => text !== ''))

/** What anybody would expect of two people who change one thing; undefined: they must talk. */
const decided = (then: string, now: string, here: string): string | undefined => {
  if (here === then || here === now) return now
  return now === then ? here : undefined
}

describe('a row, the version that it names and the present one', () => {
  it('lose nothing of anybody: each change is stored, or the row is refused', () => {
    fc.assert(
      fc.property(version, version, version, (then, now, cells) => {
        const row = readRow([...cells], [], layout)
        if (row === undefined) return
        const answers = answersOf(now)
        const former = { answers: answersOf(then), since: answers }
        const { changes, faults } = changesOf(row, layout, { answers, files: new Map(), names: new Set(), former })
        const expected = names.map((_, at) => decided(then[at] ?? '', now[at] ?? '', cells[at] ?? ''))
        const isRefused = expected.includes(undefined)
        expect(faults.length > 0).toBe(isRefused)
        for (const [at, name] of names.entries()) {
          expect(faults.join().includes(`${name} was`)).toBe(expected[at] === undefined)
        }
        if (!isRefused) expect(merged(structuredClone(answers), changes)).toEqual(answersOf(expected as string[]))
      }),
      { numRuns: 2000 },
    )
  })
})
