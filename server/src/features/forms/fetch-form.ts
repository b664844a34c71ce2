// A form that lies somewhere else: fetched once, as the caller who may publish asks for it.
import { baseName } from '../../platform/http/index.js'
import { type Outbound, type OutboundAnswer, OutboundFailed, OutboundRefused } from '../../platform/outbound/index.js'
import type { Source } from './definition.js'
import { endingOf, largestFormBytes } from './file-kinds.js'
import { notFetched } from './forms.errors.js'

const timeoutSeconds = 30

export const fetchForm = async (outbound: Outbound, url: string): Promise<Source> => {
  const answer = await call(outbound, url)
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
