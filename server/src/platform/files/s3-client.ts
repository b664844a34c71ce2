// The client of S3, with an end to everything that the other side says. The SDK reads answers that are no files whole
// into memory, waits for as long as a byte now and then arrives, and tries again what took for ever.
import { Readable } from 'node:stream'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import type { budgets } from '../../budgets.js'
import { StoreUnavailable } from './errors.js'
import type { S3Location } from './location.js'

export type S3Limits = { readonly [name in keyof typeof budgets.files]: number }

export const openS3Client = (location: S3Location, limits: S3Limits): S3Client => {
  const agent = { maxSockets: limits.connections }
  const client = new S3Client({
    ...(location.region !== undefined && { region: location.region }),
    ...(location.endpoint !== undefined && { endpoint: location.endpoint }),
    ...(location.credentials && { credentials: location.credentials }),
    forcePathStyle: location.hasPathStyle,
    // The SDK's own checksums (since 3.729) travel as trailers that many other S3 servers refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Signed requests go to the server of the settings and to no other that it names.
    followRegionRedirects: false,
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: Math.min(5000, limits.answerMs),
      // From the first byte of a request to the head of its answer.
      requestTimeout: limits.answerMs,
      throwOnRequestTimeout: true,
      // Silence is seen where answers are read: on the line, a reader who pauses looks like it.
      socketTimeout: 0,
      httpAgent: agent,
      httpsAgent: agent,
    } as NonNullable<S3ClientConfig['requestHandler']>,
  })
  // Between the wire and whoever makes sense of it.
  const place = { relation: 'after', toMiddleware: 'deserializerMiddleware', name: 'boundAnswers' } as const
  client.middlewareStack.addRelativeTo(boundAnswers(limits), place)
  return client
}

const boundAnswers =
  (limits: S3Limits) =>
  <Given, Result extends { response: unknown }>(
    next: (given: Given) => Promise<Result>,
    context: { commandName?: string },
  ) =>
  async (given: Given): Promise<Result> => {
    const result = await next(given)
    const answer = result.response as { statusCode: number; body: unknown }
    if (!(answer.body instanceof Readable)) return result
    const isFile = context.commandName === 'GetObjectCommand' && answer.statusCode < 300
    const most = isFile ? Number.POSITIVE_INFINITY : limits.answerBytes
    answer.body = Readable.from(bounded(answer.body, most, limits), { objectMode: false })
    return result
  }

/** Ends what is too long, and what comes so slowly that it need not come at all. Only waiting for the other side counts:
 * a reader may take the time that they need. */
async function* bounded(body: Readable, most: number, limits: S3Limits): AsyncGenerator<Buffer> {
  const parts = body.iterator() as AsyncIterator<Buffer>
  let bytes = 0
  let waitedMs = 0
  try {
    for (;;) {
      const since = performance.now()
      const silence = setTimeout(() => body.destroy(tooSlow()), limits.patienceMs)
      const { done, value } = await parts.next().finally(() => clearTimeout(silence))
      if (done) return
      waitedMs += performance.now() - since
      bytes += value.length
      if (bytes > most) throw new StoreUnavailable(`The store of files answers with more than ${most} bytes`)
      if (waitedMs > limits.patienceMs && bytes < (waitedMs / 1000) * limits.leastBytesPerSecond) throw tooSlow()
      yield value
    }
  } finally {
    body.destroy()
  }
}

const tooSlow = () => new StoreUnavailable('The store of files sends too slowly')
