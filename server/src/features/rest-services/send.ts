// One call to a receiver.
import type { Deps } from '../../platform/deps.js'
import { type ForwardedRecord, requestFor, type Target } from './kinds.js'
import { restServiceSettings } from './rest-services.settings.js'
import { openSealed, type Sealed } from './sealing.js'
import { signatureHeaders } from './signing.js'
import { judgeAnswer, judgeFailure, unreadable, type Verdict } from './verdict.js'

/** Of an answer, as much as helps to find out what is wrong. */
const keptBytes = 500

export interface Message {
  readonly id: string
  readonly record: ForwardedRecord
  readonly signal?: AbortSignal
  /** Asked when the connection is there; nothing is sent when it throws. */
  readonly confirm?: () => Promise<void>
}

export type Destination = Sealed & Omit<Target, 'authToken'>

/** Any answer, and none, is a verdict. */
export const sendMessage = async (
  deps: Pick<Deps, 'outbound' | 'secrets' | 'config' | 'clock'>,
  service: Destination,
  { id, record, signal, confirm }: Message,
): Promise<Verdict> => {
  const { timeoutSeconds } = deps.config.of(restServiceSettings)
  const opened = openSealed(deps.secrets, service)
  if (opened === undefined) return unreadable
  const { method, url, headers, body } = requestFor({ ...service, authToken: opened.authToken }, record)
  const signature = signatureHeaders(opened.secret, id, body, deps.clock.now())
  try {
    const answer = await deps.outbound.call({
      method,
      url,
      headers: { ...headers, ...signature },
      ...(method === 'POST' && { body }),
      timeoutSeconds,
      keepBytes: keptBytes,
      ...(signal && { signal }),
      ...(confirm && { confirm }),
    })
    return judgeAnswer(answer, deps.clock.now())
  } catch (error) {
    return judgeFailure(error as Error)
  }
}
