// The last change before a page went, where the database had no time to end. Text alone, written without waiting; read and forgotten
// when the draft is opened again.
export interface LastWords {
  readonly id: string
  readonly xml: string
  readonly at: number
}

const keyOf = (id: string): string => `sheaf-fill-last-${id}`

const isWords = (value: unknown): value is LastWords =>
  typeof value === 'object' && value !== null && 'xml' in value && 'at' in value && typeof value.xml === 'string'

const quietly = <T>(run: () => T): T | undefined => {
  try {
    return run()
  } catch {
    // No storage, or a full one.
    return undefined
  }
}

export const lastWords = {
  say: (words: LastWords): void => {
    quietly(() => localStorage.setItem(keyOf(words.id), JSON.stringify(words)))
  },
  of: (id: string): LastWords | undefined => {
    const read: unknown = quietly(() => JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null'))
    return isWords(read) ? read : undefined
  },
  forget: (id: string): void => {
    quietly(() => localStorage.removeItem(keyOf(id)))
  },
}
