// A form that lies somewhere else: fetched once, as the caller who may publish asks for it.
import { budgets } from '../../../budgets.js'
import { baseName, overloaded, throttled } from '../../../platform/http/index.js'
import {
  type Outbound,
  type OutboundAnswer,
  OutboundFailed,
  OutboundRefused,
} from '../../../platform/outbound/index.js'
import { notFetched } from './compiling.errors.js'
import type { Source } from './definition.js'
import { endingOf, largestFormBytes } from './file-kinds.js'

const timeoutSeconds = 30

/** People whose forms are being fetched, once for each. */
const inHand = new Map<number, number>()

/** A server that answers slowly holds a request and up to a whole file for its time: nobody has it done often at once. */
const oneOfFew = async <T>(callerId: number, work: () => Promise<T>): Promise<T> => {
  const own = inHand.get(callerId) ?? 0
  if (own >= budgets.outbound.formsPerPerson) throw throttled(timeoutSeconds)
  if ([...inHand.values()].reduce((sum, one) => sum + one, 0) >= budgets.outbound.formsAtOnce) throw overloaded()
  inHand.set(callerId, own + 1)
  try {
    return await work()
  } finally {
    const left = (inHand.get(callerId) ?? 1) - 1
    if (left === 0) inHand.delete(callerId)
    else inHand.set(callerId, left)
  }
}

export const fetchForm = async (outbound: Outbound, url: string, callerId: number): Promise<Source> => {
  const answer = await oneOfFew(callerId, () => call(outbound, url))
  if (answer.status !== 200) throw notFetched(url, `It answered ${answer.status}.`)
  if (!answer.isWhole) throw notFetched(url, `It is larger than ${largestFormBytes} bytes.`)
  if (answer.body.length === 0) throw notFetched(url, 'It is empty.')
  return { kind: 'spreadsheet', name: nameOf(url, answer), bytes: answer.body }
}

const call = async (outbound: Outbound, url: string): Promise<OutboundAnswer> => {
  try {
    return await outbound.call({ method: 'GET', url, timeoutSeconds, keepBytes: largestFormBytes })
  } catch (error) {
    const isTold = error instanceof OutboundRefused || error instanceof OutboundFailed
    throw isTold ? notFetched(url, error.message) : error
  }
}

/** As the other server calls it, else as the address ends; the content decides what kind of file it is. */
const nameOf = (url: string, { headers, body }: OutboundAnswer): string => {
  const given = /filename="?([^";]+)/i.exec(headers['content-disposition'] ?? '')?.[1]
  const stem = baseName(given ?? lastPart(url)).replace(/\.[A-Za-z0-9]{1,5}$/, '')
  return `${stem.trim() || 'form'}.${endingOf(body)}`
}

const lastPart = (url: string): string => {
  const part = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
