// Why a call got no answer, in words for the person who gave the address.

/** The call was not made, and would not be next time either: the address is not one that this server calls. */
export class OutboundRefused extends Error {}

/** The call was made or tried, and may succeed next time. */
export class OutboundFailed extends Error {
  /** Of an answer that began and did not end. */
  readonly status: number | undefined
  constructor(message: string, options: { cause?: unknown; status?: number | undefined } = {}) {
    super(message, { cause: options.cause })
    this.status = options.status
  }
}

/** The answer began, and its body broke off. */
export class AnswerCut extends Error {
  readonly status: number
  constructor(status: number, cause: unknown) {
    super('The answer was cut off', { cause })
    this.status = status
  }
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the answer.',
  EPIPE: 'The connection was closed before the answer.',
  ENOTFOUND: 'The host name is unknown.',
  EAI_AGAIN: 'The host name could not be looked up.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'The connection took too long.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection took too long.',
  UND_ERR_SOCKET: 'The connection was closed before the answer.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
  SHEAF_ANSWER_TOO_LARGE: 'The answer is too large.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is signed by itself.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate cannot be verified.',
}

/** What went wrong below HTTP. */
export const failureOf = (error: unknown): OutboundFailed | OutboundRefused => {
  const refusal = causes(error).find((cause) => cause instanceof OutboundRefused)
  if (refusal !== undefined) return refusal as OutboundRefused
  const codes = causes(error).map((cause) => (cause as NodeJS.ErrnoException).code ?? '')
  const code = codes.find((one) => words[one] !== undefined) ?? codes.find((one) => one !== '')
  const text = words[code ?? ''] ?? `The call failed${code === undefined ? '' : ` (${code})`}.`
  return new OutboundFailed(text, { cause: error, status: statusOf(error) })
}

export const statusOf = (error: unknown): number | undefined => (error instanceof AnswerCut ? error.status : undefined)

/** An error, those it was caused by, and those it gathers (one for each address that was tried). */
const causes = (error: unknown): Error[] => {
  if (!(error instanceof Error)) return []
  const gathered = error instanceof AggregateError ? error.errors.flatMap(causes) : []
  return [error, ...gathered, ...causes(error.cause)]
}
