// What changed between two versions of a record, question by question; entries of repeats are compared by their place.
import type { FormModel, Group, Question } from '@/api/form-model'
import type { Answers } from '@/api/records'
import { entriesOf, isEmpty, isSection, type Section, sectionsOf } from './answers'

export interface Difference {
  /** The question; undefined where a whole entry came or went. */
  readonly question: Question | undefined
  /** Repeats that lead to it, each with the number of the entry, from 1. */
  readonly entries: readonly { readonly group: Group; readonly number: number }[]
  readonly former: unknown
  readonly now: unknown
}

const isSame = (a: unknown, b: unknown): boolean => a === b || (isEmpty(a) && isEmpty(b)) || String(a) === String(b)

/** More than these of one version nobody reads. */
export const mostDifferences = 200

export const differences = (model: FormModel, former: Answers, now: Answers): Difference[] => {
  const found: Difference[] = []
  const add = (difference: Difference) => {
    if (found.length < mostDifferences) found.push(difference)
  }
  const compare = (section: Section, a: Answers, b: Answers, entries: Difference['entries']) => {
    for (const item of section.items) {
      if (found.length >= mostDifferences) return
      if (!isSection(item)) {
        if (!isSame(a[item.key], b[item.key])) {
          add({ question: item, entries, former: a[item.key], now: b[item.key] })
        }
        continue
      }
      const { group } = item
      if (group?.isRepeat) compareEntries(item, group, a, b, entries)
      else compare(item, a, b, entries)
    }
  }
  const compareEntries = (section: Section, group: Group, a: Answers, b: Answers, entries: Difference['entries']) => {
    const [old, young] = [entriesOf(a, group.key), entriesOf(b, group.key)]
    for (let index = 0; index < Math.max(old.length, young.length); index++) {
      if (found.length >= mostDifferences) return
      const here = [...entries, { group, number: index + 1 }]
      const [before, after] = [old[index], young[index]]
      if (before !== undefined && after !== undefined) compare(section, before, after, here)
      else add({ question: undefined, entries: here, former: before, now: after })
    }
  }
  compare(sectionsOf(model), former, now, [])
  return found
}
