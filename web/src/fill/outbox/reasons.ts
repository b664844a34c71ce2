// Why something has not been sent, by the key of the words for it, and where it is opened.
import type { Filled, KeyEnd } from '@/fill/keep'

const refusals: ReadonlyMap<number, Why> = new Map([
  [403, 'forbidden'],
  [404, 'missing'],
  [405, 'closed'],
  [409, 'stale'],
  [413, 'large'],
])

/** What is tried again by itself. */
const pauses: ReadonlyMap<number, Why> = new Map([
  [0, 'line'],
  [429, 'crowded'],
  [507, 'space'],
])

export type Why =
  | 'soon'
  | 'line'
  | 'busy'
  | 'unsigned'
  | 'account'
  | 'crowded'
  | 'space'
  | 'forbidden'
  | 'closed'
  | KeyEnd
  | 'missing'
  | 'stale'
  | 'large'
  | 'refused'

export const whyOf = ({ state, reason, whose }: Pick<Filled, 'state' | 'reason' | 'whose'>): Why => {
  if (state === 'unsigned') return whose === '' ? 'account' : 'unsigned'
  if (reason === undefined) return 'soon'
  if (state === 'waiting') return pauses.get(reason.status) ?? 'busy'
  return reason.end ?? refusals.get(reason.status) ?? 'refused'
}

/** Where it is gone on with. */
export const pageOf = ({ page, id }: Pick<Filled, 'page' | 'id'>): string => `${page}?draft=${encodeURIComponent(id)}`
