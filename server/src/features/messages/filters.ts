// What /messaging is narrowed by, from the address.
import { momentOf } from '../../formats/moments/index.js'
import { type Db, largestId } from '../../platform/db/index.js'
import { badRequest } from '../../platform/http/index.js'
import type { Comparison, EventFilter, Target, TimeCondition, TimePart } from '../messaging/index.js'
import { findPersonByName } from '../users/index.js'
import { comparisons, targetTypes, timeParts } from './messages.schemas.js'

type Query = Readonly<Record<string, string | undefined>>

/** The type is checked before the id. */
export const targetOf = ({ target_type, target_id }: Query): Target => {
  if (!target_type) throw badRequest("Parameter 'target_type' is missing.")
  const type = targetTypes.find((one) => one === target_type)
  if (type === undefined) throw badRequest(`Unknown target_type ${target_type}`)
  if (!target_id) throw badRequest("Parameter 'target_id' is missing.")
  if (!/^\d{1,15}$/.test(target_id)) throw badRequest('Invalid target_id. It must be a positive integer.')
  // An id that no row can have is one that is not there.
  return { type, id: Math.min(Number(target_id), largestId) }
}

/** Undefined when nothing can match: an unknown user has done nothing. */
export const filterOf = async (db: Db, query: Query): Promise<EventFilter | undefined> => {
  const times = timesOf(query)
  const user = query.user ? await findPersonByName(db, query.user) : undefined
  if (query.user && user === undefined) return undefined
  return { verb: query.verb || undefined, userId: user?.id, times }
}

const timesOf = (query: Query): TimeCondition[] =>
  Object.entries(query).flatMap(([name, text]) => {
    const [field, ...words] = name.split('__')
    if (field !== 'timestamp' || !text) return []
    const part = timeParts.find((one) => one === words[0])
    const comparison = comparisons.find((one) => one === words.at(-1)) ?? 'is'
    return [condition(name, part, comparison, text)]
  })

const condition = (name: string, part: TimePart | undefined, comparison: Comparison, text: string): TimeCondition => {
  if (part !== undefined) {
    if (!/^\d{1,4}$/.test(text)) throw badRequest(`${name}: A valid integer is required.`)
    return { part, comparison, value: Number(text) }
  }
  // A plus sign that was not encoded arrives as a blank.
  const moment = momentOf(text.trim().replace(/ (?=\d\d:?\d\d$)/, '+'))
  if (moment === undefined) throw badRequest(`${name}: Enter a valid date/time, e.g. 2026-02-26T03:32:57Z.`)
  return { part, comparison, value: new Date(moment) }
}
