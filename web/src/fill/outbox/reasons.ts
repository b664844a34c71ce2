// Why something has not been sent, by the key of the words for it.
import type { Filled } from '@/fill/keep'

const refusals: ReadonlyMap<number, Why> = new Map([
  [403, 'forbidden'],
  [404, 'missing'],
  [405, 'forbidden'],
  [409, 'stale'],
  [413, 'large'],
])

export type Why =
  | 'soon'
  | 'line'
  | 'busy'
  | 'unsigned'
  | 'account'
  | 'forbidden'
  | 'missing'
  | 'stale'
  | 'large'
  | 'refused'

export const whyOf = ({ state, reason, whose }: Pick<Filled, 'state' | 'reason' | 'whose'>): Why => {
  if (state === 'unsigned') return whose === '' ? 'account' : 'unsigned'
  if (reason === undefined) return 'soon'
  if (state === 'waiting') return reason.status === 0 ? 'line' : 'busy'
  return refusals.get(reason.status) ?? 'refused'
}
