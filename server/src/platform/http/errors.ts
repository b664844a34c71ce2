// One error class. A room makes its own with named constructors; a renderer prints it in the protocol of the route.
import { StoreFull, type StoreUnavailable } from '../files/index.js'

/** Messages by field; `non_field_errors` for what concerns several. */
export type FieldErrors = Readonly<Record<string, string | readonly string[]>>

interface Options {
  /** Stable and dotted: `user.username_taken`. Logged, never shown. */
  code: string
  status: number
  /** For the caller: says what was wrong and what to do. No SQL, path, token or stack. */
  message: string
  fields?: FieldErrors
  /** A body of its own, where clients of this API family expect one. */
  body?: object
  headers?: Readonly<Record<string, string>>
  /** Not for this caller, but somebody else may: whoever has not signed in is asked to, see `challenges.ts`. */
  isForOthers?: boolean
  cause?: unknown
}

export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly fields: FieldErrors | undefined
  readonly body: object | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly isForOthers: boolean
  constructor({ code, status, message, fields, body, headers = {}, isForOthers = false, cause }: Options) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.fields = fields
    this.body = body
    this.headers = headers
    this.isForOthers = isForOthers
  }
}

/** Hidden or missing. */
export const notFound = () => new AppError({ code: 'not_found', status: 404, message: 'Not found.', isForOthers: true })

/** Missing for everybody: a part of what the caller has been shown, or something that is never hidden. Signing in would not
 * help. */
export const absent = () => new AppError({ code: 'absent', status: 404, message: 'Not found.' })

export const forbidden = (message = 'You do not have permission to perform this action.') =>
  new AppError({ code: 'forbidden', status: 403, message, isForOthers: true })

/** What this server does for nobody, by its settings. */
export const notOffered = (message = 'You do not have permission to perform this action.') =>
  new AppError({ code: 'not_offered', status: 403, message })

export const unauthenticated = (message: string, challenge: string) =>
  new AppError({ code: 'unauthenticated', status: 401, message, headers: { 'www-authenticate': challenge } })

/** All faulty fields of a body at once. */
export const invalid = (fields: FieldErrors) =>
  new AppError({ code: 'invalid', status: 400, message: 'The request has invalid fields.', fields })

/** A fault of the address, its parameters or the shape of the request as a whole. */
export const badRequest = (message: string, code = 'bad_request') => new AppError({ code, status: 400, message })

export const methodNotAllowed = (method: string, allow: string) =>
  new AppError({
    code: 'method_not_allowed',
    status: 405,
    message: `Method "${method}" not allowed.`,
    headers: { allow },
  })

export const notAcceptable = () =>
  new AppError({ code: 'not_acceptable', status: 406, message: 'Could not satisfy the request Accept header.' })

export const tooLarge = (message: string) => new AppError({ code: 'too_large', status: 413, message })

export const unsupportedMediaType = (contentType: string) =>
  new AppError({
    code: 'unsupported_media_type',
    status: 415,
    message: `Unsupported media type "${contentType}" in request.`,
  })

export const throttled = (seconds: number) =>
  new AppError({
    code: 'throttled',
    status: 429,
    message: `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    headers: { 'retry-after': String(seconds) },
  })

/** Throttled until a moment, at least for one second more. */
export const throttledUntil = (end: Date, now: Date) =>
  throttled(Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000)))

export const unavailable = (cause?: unknown) =>
  new AppError({
    code: 'unavailable',
    status: 503,
    message: 'The service is not available right now. Try again in a few seconds.',
    headers: { 'retry-after': '5' },
    cause,
  })

/** Asked again, it takes as long again: what to do is to ask for less. */
export const tooSlow = (cause?: unknown) =>
  new AppError({
    code: 'too_slow',
    status: 503,
    message:
      'The answer takes longer than the server allows. Ask for less at once: a narrower filter, fewer fields, smaller pages, or an export in the background.',
    headers: { 'retry-after': '60' },
    cause,
  })

/** Not all at the same moment again. */
const spreadSeconds = () => String(3 + Math.floor(Math.random() * 8))

export const overloaded = () =>
  new AppError({
    code: 'overloaded',
    status: 503,
    message: 'The server has too much to do right now. Nothing was stored; try again in a few seconds.',
    headers: { 'retry-after': spreadSeconds() },
  })

const noRoom = (cause: unknown) =>
  new AppError({
    code: 'files.full',
    status: 507,
    message: 'The server has no room for files right now. Nothing was stored; try again later.',
    headers: { 'retry-after': '60' },
    cause,
  })

/** What a store of files says about itself, not about the file. */
export const storeTrouble = (error: StoreFull | StoreUnavailable) =>
  error instanceof StoreFull ? noRoom(error) : unavailable(error)

export const internal = (cause: unknown) =>
  new AppError({
    code: 'internal',
    status: 500,
    message: 'Something went wrong on our side. The request id helps to find out what.',
    cause,
  })

/** The faults that a route's schema found, for a handler that adds its own (`attachValidation`), so that all of them are
 * answered at once. */
export const faultsFrom = (validationError: unknown): Record<string, string | readonly string[]> => {
  if (validationError === undefined) return {}
  if (!(validationError instanceof AppError) || validationError.fields === undefined) throw validationError
  return { ...validationError.fields }
}

export const throwFaults = (faults: FieldErrors): void => {
  if (Object.keys(faults).length > 0) throw invalid(faults)
}
