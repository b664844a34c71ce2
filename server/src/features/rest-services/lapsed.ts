// A service acts for whoever made it, or has changed or resumed it since. When they lose the right to manage the form it is
// paused, and the owners are told.
import type { Db } from '../../platform/db/index.js'
import { isUrl } from '../../platform/words/index.js'
import { type Actor, type Lapsed, lossOf } from '../permissions/index.js'
import { lockLapsedServices } from './due-services.queries.js'
import { switchOff } from './rest-services.queries.js'

const right = 'manages the form'

const whatToDo = 'Submissions are kept for it. Set "active" to true, and they are sent; it acts for you then.'

export const lapsedReason = (actor: Actor | null): string => `Paused: ${lossOf(actor, right)}. ${whatToDo}`

/** An address may hold more than its owner wants to read in a mail, or more than a stranger should write there. */
const hostOf = (address: string): string => (isUrl(address) ? new URL(address).host : 'no address')

/** Nothing was sent since the right was lost; from now on it stays so until somebody resumes it. */
export const pauseLapsedServices = async (tx: Db, now: Date, most: number): Promise<Lapsed[]> => {
  const lapsed = await lockLapsedServices(tx, most)
  for (const { id, actor } of lapsed) await switchOff(tx, id, lapsedReason(actor), now)
  return lapsed.map(({ id, formId, kind, serviceUrl, actor }) => ({
    target: { type: 'xform', id: formId },
    actor,
    right,
    line: `Rest service ${id} (${kind}, to ${hostOf(serviceUrl)}) is paused. ${whatToDo}`,
  }))
}
