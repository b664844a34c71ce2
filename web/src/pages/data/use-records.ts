// The rows of the table: pages of records as they were when the table was opened, how many there are, and how many came since.
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import { type ApiError, asApiError } from '@/api/errors'
import { type Asked, countRecords, inUtc, listRecords, narrowed, type RecordRow } from '@/api/record-list'
import { usePagedRows } from '@/parts/grid/paged-rows'

const pageSize = 100
/** Calm: nobody waits for it. */
const pollMilliseconds = 20_000

export interface RecordsOptions {
  readonly formId: () => number
  /** The filter, as the API takes it. */
  readonly filter: () => Asked
  readonly sort: () => string
  /** Fields of each slice of columns. */
  readonly slices: () => readonly (readonly string[])[]
  /** What the form says, before the list does. */
  readonly expected: () => number
}

export const useRecords = ({ formId, filter, sort, slices, expected }: RecordsOptions) => {
  const total = ref(expected())
  const isExact = ref(true)
  const isKnown = ref(false)
  const underWay = ref(0)
  const error = shallowRef<ApiError>()
  const fresh = ref(0)
  /** Records until this time are shown: those that come later would move the rows under the reader's eyes. */
  const until = ref<string>()
  /** Times are whole seconds: so many of the last second are shown, and more may come within it. */
  let ofLastSecond = 0
  let turn = 0

  const isFrozen = computed(() => until.value !== undefined && !/^[^{]/.test(filter().query?.trim() ?? '{'))
  const asked = (condition: object | undefined): Asked => {
    const { query, ...rest } = filter()
    const whole = condition === undefined ? query : narrowed(query, condition)
    return { ...rest, ...(whole !== undefined && { query: whole }) }
  }
  const shown = computed(() => asked(isFrozen.value ? { _submission_time: { $lte: until.value } } : undefined))

  interface Newest {
    readonly id: number | undefined
  }
  const newestFirst = '{"_submission_time":-1}'
  const isNewestFirst = () => sort() === newestFirst

  /** From now on later records are counted, and not shown. Undefined where the server was not reached: then all are shown. */
  const freeze = async (): Promise<Newest | undefined> => {
    const mine = turn
    const asking = { sort: newestFirst, fields: '["_id","_submission_time"]', page: '1', page_size: String(pageSize) }
    // Newest first, this is the head of the same list.
    const of = isNewestFirst() ? asked(undefined) : {}
    const answer = await listRecords(formId(), { ...of, ...asking }).catch(() => undefined)
    if (answer === undefined || mine !== turn) return undefined
    const [newest] = answer.rows
    const last = inUtc(newest?._submission_time) || '1970-01-01T00:00:00Z'
    const alike = answer.rows.filter(({ _submission_time: time }) => inUtc(time) === last).length
    const count = () => countRecords(formId(), asked({ _submission_time: { $gte: last } })).catch(() => alike)
    // Counted where the list is another one, or a whole page is of one second, as after an import.
    const held = isNewestFirst() && alike < pageSize ? alike : await count()
    if (mine !== turn) return undefined
    ofLastSecond = held
    until.value = last
    return { id: newest?._id }
  }
  let frozen: Promise<Newest | undefined> = freeze()

  /** A record that comes between the list and the freeze would be in neither. So the first page, which need not wait for the freeze,
   * is held against it. */
  const listFrozen = async (more: Asked, signal: AbortSignal) => {
    const ask = () => listRecords(formId(), { ...shown.value, ...more }, signal)
    const isHead = isNewestFirst() && more.page === '1'
    if (until.value !== undefined || !isHead) {
      await frozen
      return ask()
    }
    const [answer, newest] = await Promise.all([ask(), frozen])
    return newest === undefined || newest.id === answer.rows[0]?._id ? answer : ask()
  }

  const rows = usePagedRows<RecordRow>({
    pageSize,
    identity: ({ _id }) => _id,
    load: async ({ page, slice }, signal) => {
      const mine = turn
      underWay.value += 1
      try {
        const fields = slices()[slice] ?? ['_id', '_uuid']
        const more = {
          sort: sort(),
          fields: JSON.stringify(fields),
          page: String(page + 1),
          page_size: String(pageSize),
        }
        const answer = await listFrozen(more, signal)
        if (mine === turn) {
          total.value = answer.total
          isExact.value = answer.isExact
          isKnown.value = true
          error.value = undefined
        }
        return answer.rows
      } finally {
        underWay.value -= 1
      }
    },
    failed: (thrown) => {
      error.value = asApiError(thrown)
    },
  })

  /** Asks for everything again. */
  const begin = (keeps: boolean) => {
    turn += 1
    fresh.value = 0
    until.value = undefined
    error.value = undefined
    frozen = freeze()
    rows.reset({ keeps })
  }

  const look = async () => {
    if (document.visibilityState !== 'visible' || !isFrozen.value) return
    const mine = turn
    const since = asked({ _submission_time: { $gte: until.value } })
    const count = await countRecords(formId(), since).catch(() => ofLastSecond)
    if (mine === turn) fresh.value = Math.max(0, count - ofLastSecond)
  }
  const timer = setInterval(look, pollMilliseconds)
  addEventListener('focus', look)
  onScopeDispose(() => {
    clearInterval(timer)
    removeEventListener('focus', look)
  })

  watch(
    () => JSON.stringify([formId(), filter(), sort()]),
    () => {
      isKnown.value = false
      begin(false)
    },
  )
  watch(
    () => JSON.stringify(slices()),
    () => rows.reset({ keeps: true }),
  )

  return {
    ...rows,
    total,
    isExact,
    isKnown,
    error,
    fresh,
    shown,
    look,
    begin,
    isWorking: computed(() => underWay.value > 0),
  }
}
