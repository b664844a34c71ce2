// A form on another server: fetched once, when a caller who may publish asks for it.
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

/** How many forms are being fetched for each person. */
const underway = new Map<number, number>()

/** A slow server holds a request, and up to a whole file in memory, for as long as it takes. So nobody has many at once. */
const oneOfFew = async <T>(callerId: number, work: () => Promise<T>): Promise<T> => {
  const ownCount = underway.get(callerId) ?? 0
  if (ownCount >= budgets.outbound.formsPerPerson) throw throttled(timeoutSeconds)
  if ([...underway.values()].reduce((sum, one) => sum + one, 0) >= budgets.outbound.formsAtOnce) throw overloaded()
  underway.set(callerId, ownCount + 1)
  try {
    return await work()
  } finally {
    const remaining = (underway.get(callerId) ?? 1) - 1
    if (remaining === 0) underway.delete(callerId)
    else underway.set(callerId, remaining)
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
    const isExplained = error instanceof OutboundRefused || error instanceof OutboundFailed
    throw isExplained ? notFetched(url, error.message) : error
  }
}

/** The name that the other server gives it, else the end of the address. The content decides on the ending. */
const nameOf = (url: string, { headers, body }: OutboundAnswer): string => {
  const fileName = /filename="?([^";]+)/i.exec(headers['content-disposition'] ?? '')?.[1]
  const stem = baseName(fileName ?? lastPart(url)).replace(/\.[A-Za-z0-9]{1,5}$/, '')
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
