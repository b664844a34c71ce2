// The versions that rows of a file were made from, where others have changed the record since.
import type { Former } from '../../formats/import/index.js'
import type { Answers } from '../../formats/instance/index.js'
import type { Db } from '../../platform/db/index.js'
import { listFormerHeads, listVersionAnswers, type VersionKey } from './stored.queries.js'

/** A record and the instance id that a row gives. */
interface Sought {
  readonly id: number
  readonly soughtId: string
  /** The present one. */
  readonly uuid: string
}

/** Which version a row names, and which one there was before any row of its file; null is the present one. */
export interface FormerPlace {
  readonly named: VersionKey
  readonly start: VersionKey | null
  /** Of both. */
  readonly bytes: number
}

/**
 * By the sought ids; none where the row names what there was before the file. `edits`: how many versions of a record this
 * file has made already; undefined, or Infinity for a record that it has brought itself.
 */
export const formerPlaces = async (
  db: Db,
  formId: number,
  sought: readonly Sought[],
  edits: ReadonlyMap<number, number> = new Map(),
): Promise<Map<string, FormerPlace>> => {
  const former = sought.filter(({ soughtId, uuid }) => soughtId !== uuid)
  const heads = former.length === 0 ? [] : await listFormerHeads(db, formId, former)
  return new Map(
    heads.flatMap(({ id, uuid, number, last, bytes }): [string, FormerPlace][] => {
      const made = edits.get(id) ?? 0
      const start = last - made + 1
      if (number >= start) return []
      return [[uuid, { named: { id, number }, start: made === 0 ? null : { id, number: start }, bytes: bytes * 2 }]]
    }),
  )
}

const keyOf = ({ id, number }: VersionKey): string => `${id}:${number}`

/** What these versions held. */
export const formerAnswers = async (
  db: Db,
  formId: number,
  places: readonly FormerPlace[],
): Promise<(place: FormerPlace | undefined, present: Answers) => { former?: Former }> => {
  const versions = new Map(
    places.flatMap(({ named, start }) => [named, ...(start === null ? [] : [start])]).map((one) => [keyOf(one), one]),
  )
  const found = versions.size === 0 ? [] : await listVersionAnswers(db, formId, [...versions.values()])
  const byKey = new Map(found.map((one) => [keyOf(one), one.answers]))
  return (place, present) => {
    const answers = place === undefined ? undefined : byKey.get(keyOf(place.named))
    if (place === undefined || answers === undefined) return {}
    return { former: { answers, since: place.start === null ? present : (byKey.get(keyOf(place.start)) ?? present) } }
  }
}
