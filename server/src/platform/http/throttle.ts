// The general limit, off by default. It is kept per process: it protects a process from one caller; the limits that
// protect accounts are counted in the database.
import rateLimit from '@fastify/rate-limit'
import { throttled } from './errors.js'
import type { App } from './room.js'

export const throttle = async (api: App, requestsPerMinute: number): Promise<void> => {
  if (requestsPerMinute === 0) return
  await api.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => (request.caller.isAnonymous ? request.ip : `user:${request.caller.id}`),
    errorResponseBuilder: (_request, { ttl }) => throttled(Math.ceil(ttl / 1000)),
    addHeadersOnExceeding: {},
    addHeaders: {},
  })
}
