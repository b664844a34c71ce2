// One kind of error for everything that goes wrong with a call: what happened, in words, and what it means for the page.
import { useTexts } from '@/texts'
import en from '@/texts/en/errors'

export type ErrorKind =
  /** The server is not reached. */
  | 'offline'
  /** It took too long. */
  | 'slow'
  /** Nobody is signed in any more, and whoever was asked did not sign in. */
  | 'expired'
  | 'forbidden'
  /** Missing, or hidden: the server does not tell which. */
  | 'missing'
  /** What was sent is faulty: `fields` says where. */
  | 'invalid'
  /** Somebody else changed it first. */
  | 'conflict'
  | 'too-large'
  /** Too many requests, or too busy: `retrySeconds` says when to come back. */
  | 'busy'
  /** The fault is the server's. */
  | 'broken'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ErrorKind
  readonly status: number
  /** Messages by field; those of the whole are in `message`. */
  readonly fields: Readonly<Record<string, string>>
  readonly retrySeconds: number | undefined
  /** As the server sent it: some refusals say more, such as the problems of a form by row. */
  readonly body: unknown

  constructor(
    kind: ErrorKind,
    message: string,
    more: Partial<Pick<ApiError, 'status' | 'fields' | 'retrySeconds' | 'body'>> = {},
  ) {
    super(message)
    this.kind = kind
    this.status = more.status ?? 0
    this.fields = more.fields ?? {}
    this.retrySeconds = more.retrySeconds
    this.body = more.body
  }

  /** Nobody knows whether the server did it: its answer is lost. */
  get mayBeDone(): boolean {
    return this.kind === 'offline' || this.kind === 'slow'
  }

  /** Trying again without changing anything may help. */
  get isPassing(): boolean {
    return ['offline', 'slow', 'busy', 'broken'].includes(this.kind)
  }
}

const kindOf = (status: number): ErrorKind => {
  if (status === 401) return 'expired'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'missing'
  if (status === 409 || status === 412) return 'conflict'
  if (status === 413) return 'too-large'
  if (status === 429 || status === 503) return 'busy'
  return status < 500 ? 'invalid' : 'broken'
}

const words = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(words).filter(Boolean).join(' ')
    : typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : ''

/** Fields that speak of the request as a whole. */
const whole: readonly string[] = ['detail', 'error', 'errors', 'non_field_errors', 'message', 'text']

/** Of a body in the shapes of this API: `{"detail": "…"}`, or messages by field. */
export const readBody = (body: unknown): { message: string; fields: Record<string, string> } => {
  if (typeof body === 'string') return { message: body.startsWith('<') ? '' : body, fields: {} }
  if (typeof body !== 'object' || body === null) return { message: '', fields: {} }
  if (Array.isArray(body)) return { message: words(body), fields: {} }
  const entries = Object.entries(body)
    // What refuses a form says its kind beside its words: that is no field.
    .filter(([name]) => name !== 'type' || !('text' in body))
    .map(([name, value]) => [name, words(value)] as const)
  return {
    message: entries
      .filter(([name]) => whole.includes(name))
      .map(([, text]) => text)
      .filter(Boolean)
      .join(' '),
    fields: Object.fromEntries(entries.filter(([name, text]) => !whole.includes(name) && text !== '')),
  }
}

const t = useTexts(en)

/** The server's words where it has some; they are for the caller. */
export const errorOf = (status: number, body: unknown, headers?: Headers): ApiError => {
  const kind = kindOf(status)
  const { message, fields } = readBody(body)
  const retry = Number(headers?.get('retry-after') ?? Number.NaN)
  const said = kind === 'broken' || kind === 'expired' ? '' : message
  return new ApiError(kind, said || t(kind), {
    status,
    fields: kind === 'invalid' || kind === 'conflict' ? fields : {},
    retrySeconds: Number.isNaN(retry) ? undefined : retry,
    body,
  })
}

/** Undoing would overwrite what somebody else changed since. */
export const conflictError = (): ApiError => new ApiError('conflict', t('conflict'))
/** What only reads can be asked again. Of what changes something, nobody knows whether it arrived before the line broke. */
export const offlineError = (mayBeDone = false): ApiError =>
  new ApiError('offline', t(mayBeDone ? 'offlineUnsure' : 'offline'))
export const slowError = (): ApiError => new ApiError('slow', t('slow'))

/** What stands before the server gave up on it (502, 504): the server itself may go on, and do what it was asked to. */
export const unansweredError = (status: number): ApiError => new ApiError('slow', t('slowUnsure'), { status })
export const isUnanswered = (status: number): boolean => status === 502 || status === 504

/** Whatever was thrown; faults of this program are faults of ours. */
export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('broken', t('broken'), { body: error })
