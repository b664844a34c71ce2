// Doing something once: a second click while the first is under way does nothing more. Where a value is set, or one of many things
// is done away with, what is asked for meanwhile comes next: the last value wins. What was changed on the page beforehand is taken
// back when it fails; what was done can be undone by the person.
import { type EntryKey, useQueryCache } from '@pinia/colada'
import { computed, getCurrentScope, onScopeDispose, ref, shallowRef } from 'vue'
import { toast } from '@/base/toasts'
import { useTexts } from '@/texts'
import en from '@/texts/en/actions'
import { type ApiError, asApiError } from './errors'

/** What it is done to, and the value that it is to have; without a value there is nothing to choose, as in removing it. */
type Asked = readonly [target: string | number, value?: string | number | boolean]

export interface ActionOptions<V, R> {
  run: (value: V) => Promise<R>
  /** With it, what is asked for while something is under way is done afterwards, for each target the last. Without it, whatever
   * is asked for meanwhile is taken for a second click of the same. */
  asks?: (value: V) => Asked
  /** One that waited for another of the same target, as it is after that one: undo goes back to what was then. */
  follows?: (value: V, done: V) => V
  /** Changes what is shown at once; answers what takes that back (see `change`). */
  before?: (value: V) => (() => void) | undefined
  /** Queries that are asked again afterwards, by the beginning of their keys. */
  refreshes?: EntryKey[] | ((value: V) => EntryKey[])
  /** Words for the toast when it is done. */
  done?: (result: R, value: V) => string
  /** Only a part of it was done: the toast stays until it is closed. */
  isPartial?: (result: R) => boolean
  /** Offered in the toast, as "Undo". Answers words where it has more to say than that it is undone. */
  undo?: (result: R, value: V) => Promise<unknown>
  /** Without it always: undo is offered only where it restores exactly what was. */
  mayUndo?: (result: R, value: V) => boolean
  /** After it went well. */
  after?: (result: R, value: V) => unknown
  /** True where the page shows faults itself, beside their fields: then there is no toast. */
  showsFaults?: boolean
}

export const useAction = <V = void, R = unknown>(options: ActionOptions<V, R>) => {
  const cache = useQueryCache()
  const t = useTexts(en)
  const error = shallowRef<ApiError>()
  const running = ref<Promise<R | undefined>>()
  // Whoever left the page meanwhile does not see what it shows of faults.
  let isGone = false
  if (getCurrentScope() !== undefined) {
    onScopeDispose(() => {
      isGone = true
    })
  }

  const refresh = (value: V) => {
    const keys = typeof options.refreshes === 'function' ? options.refreshes(value) : (options.refreshes ?? [])
    for (const key of keys) void cache.invalidateQueries({ key })
  }

  const undoing = (result: R, value: V) => {
    const { undo } = options
    if (undo === undefined || options.mayUndo?.(result, value) === false) return undefined
    const run = async () => {
      try {
        const said = await undo(result, value)
        toast(typeof said === 'string' ? said : t('undone'), { kind: 'note' })
      } catch (fault) {
        toast(asApiError(fault).message, { kind: 'fault' })
      }
      refresh(value)
    }
    return { label: t('undo'), run }
  }

  const attempt = async (value: V): Promise<R | undefined> => {
    error.value = undefined
    const takeBack = options.before?.(value)
    try {
      const result = await options.run(value)
      refresh(value)
      const action = undoing(result, value)
      const kind = options.isPartial?.(result) === true ? 'fault' : 'done'
      if (options.done !== undefined) toast(options.done(result, value), { kind, ...(action && { action }) })
      await options.after?.(result, value)
      return result
    } catch (thrown) {
      takeBack?.()
      const fault = asApiError(thrown)
      error.value = fault
      if (options.showsFaults !== true || isGone)
        toast(Object.values(fault.fields)[0] ?? fault.message, { kind: 'fault' })
      return undefined
    }
  }

  let current: { readonly value: V; readonly asked: Asked | undefined } | undefined
  const waiting = new Map<string | number, { readonly value: V; readonly asked: Asked }>()

  /** One after the other: what a failure takes back is what stood there before, and nothing of the next. */
  const work = async (): Promise<R | undefined> => {
    let result: R | undefined
    try {
      while (current !== undefined) {
        const { value, asked } = current
        result = await attempt(value)
        const [next] = waiting.values()
        if (next !== undefined) waiting.delete(next.asked[0])
        const isAfter = error.value === undefined && next?.asked[0] === asked?.[0]
        current = next && isAfter && options.follows ? { ...next, value: options.follows(next.value, value) } : next
      }
      return result
    } finally {
      current = undefined
      running.value = undefined
    }
  }

  /** Never throws: what went wrong is in `error`. */
  const go = (value: V): Promise<R | undefined> => {
    const asked = options.asks?.(value)
    if (current === undefined || running.value === undefined) {
      current = { value, asked }
      running.value = work()
    } else if (asked !== undefined) {
      const isUnderWay = current.asked?.[0] === asked[0] && current.asked[1] === asked[1]
      if (isUnderWay) waiting.delete(asked[0])
      else waiting.set(asked[0], { value, asked })
    }
    return running.value
  }

  return { go, error, isBusy: computed(() => running.value !== undefined), forget: () => (error.value = undefined) }
}

/** Changes what a query holds; answers what puts the old back. */
export const change = <T>(cache: ReturnType<typeof useQueryCache>, key: EntryKey, edit: (old: T) => T) => {
  const old = cache.getQueryData<T>(key)
  if (old === undefined) return undefined
  cache.cancelQueries({ key, exact: true })
  cache.setQueryData(key, edit(old))
  return () => cache.setQueryData(key, old)
}
