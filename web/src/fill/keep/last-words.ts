// The last change before a page went, where the database had no time to end. Text alone, written without waiting; read and forgotten
// when the draft is opened again.
import { quietly } from './marks'
import type { Filled, Typed } from './types'

export interface LastWords extends Typed {
  readonly id: string
  readonly at: number
  /** Of a form that went before its first word was kept: what it would have been kept as. */
  readonly row?: Filled
}

const start = 'sheaf-fill-last-'
const keyOf = (id: string): string => `${start}${id}`

const isWords = (value: unknown): value is LastWords =>
  typeof value === 'object' && value !== null && 'xml' in value && 'at' in value && typeof value.xml === 'string'

export const lastWords = {
  say: (words: LastWords): void => {
    quietly(() => localStorage.setItem(keyOf(words.id), JSON.stringify(words)))
  },
  of: (id: string): LastWords | undefined => {
    const read: unknown = quietly(() => JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null'))
    return isWords(read) ? read : undefined
  },
  /** Of forms that nothing was kept of, as far as the page that went could tell. */
  unkept: (): LastWords[] => {
    const keys = quietly(() => Object.keys(localStorage)) ?? []
    return keys
      .filter((key) => key.startsWith(start))
      .flatMap((key) => lastWords.of(key.slice(start.length)) ?? [])
      .filter(({ row }) => row !== undefined)
  },
  forget: (id: string): void => {
    quietly(() => localStorage.removeItem(keyOf(id)))
  },
}
