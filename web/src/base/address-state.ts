// The address is the state: a value that stands in the query of the address, so that a link shows what its sender saw, and back and
// forward work.
import { computed, type WritableComputedRef } from 'vue'
import { type LocationQueryRaw, useRoute, useRouter } from 'vue-router'

export interface Written<T> {
  /** Undefined where it cannot be read: then the initial value stands. */
  readonly read: (text: string) => T | undefined
  readonly write: (value: T) => string
}

export const asText: Written<string> = { read: (text) => text, write: (value) => value }
export const asNumber: Written<number> = {
  read: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined),
  write: String,
}
export const asFlag: Written<boolean> = { read: (text) => text === 'yes', write: (value) => (value ? 'yes' : 'no') }
export const asList: Written<readonly string[]> = {
  read: (text) => text.split(',').filter(Boolean).map(decodeURIComponent),
  write: (values) => values.map((value) => encodeURIComponent(value)).join(','),
}
/** One of a few words. */
export const asOneOf = <T extends string>(...words: readonly T[]): Written<T> => ({
  read: (text) => words.find((word) => word === text),
  write: (value) => value,
})
/** Anything that JSON can say: a filter, a place on a map. */
export const asJson = <T>(isValid: (value: unknown) => value is T): Written<T> => ({
  read: (text) => {
    try {
      const value: unknown = JSON.parse(text)
      return isValid(value) ? value : undefined
    } catch {
      return undefined
    }
  },
  write: (value) => JSON.stringify(value),
})

/** What an address says, else the initial value. */
export const readFrom = <T>(
  query: Readonly<Record<string, unknown>>,
  name: string,
  initial: T,
  written: Written<T>,
): T => {
  const text = [query[name]].flat()[0]
  try {
    return typeof text === 'string' ? (written.read(text) ?? initial) : initial
  } catch {
    return initial
  }
}

/** The query with a value in it; the initial value is left out, so that addresses stay short. */
export const writtenTo = <T>(
  query: Readonly<LocationQueryRaw>,
  name: string,
  value: T,
  initial: T,
  written: Written<T>,
) => {
  const { [name]: _old, ...rest } = query
  const text = written.write(value)
  return text === written.write(initial) ? rest : { ...rest, [name]: text }
}

/** Changes made in the same moment belong to one step: each navigation would begin from the address before the other. */
let pending: LocationQueryRaw | undefined

/** `isStep`: each change is a step that "back" takes back; without it, it replaces the last (typing, dragging). */
export const useAddressState = <T>(
  name: string,
  initial: T,
  written: Written<T>,
  { isStep = false }: { isStep?: boolean } = {},
): WritableComputedRef<T> => {
  const route = useRoute()
  const router = useRouter()
  return computed({
    get: () => readFrom(route.query, name, initial, written),
    set: (value) => {
      const isFirst = pending === undefined
      pending = writtenTo(pending ?? route.query, name, value, initial, written)
      if (!isFirst) return
      queueMicrotask(() => {
        const query = pending ?? {}
        pending = undefined
        void router[isStep ? 'push' : 'replace']({ query, hash: route.hash })
      })
    },
  })
}
