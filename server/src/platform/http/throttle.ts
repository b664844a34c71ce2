// The general limit, off by default. It is kept per process: it protects a process from one caller; the limits that
// protect accounts are counted in the database.
import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import type { onRequestAsyncHookHandler } from 'fastify'
import { limitKey } from './addresses.js'
import { throttled } from './errors.js'
import type { App } from './room.js'

const silent = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

export const throttle = async (api: App, requestsPerMinute: number): Promise<void> => {
  if (requestsPerMinute === 0) return
  await api.register(rateLimit, { global: false })
  // As a hook of our own: the plugin's would run after the caller is known, and guesses would cost a hash each.
  api.addHook(
    'onRequest',
    api.rateLimit({
      max: requestsPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => limitKey(request.ip),
      errorResponseBuilder: (_request, { ttl }) => throttled(Math.ceil(ttl / 1000)),
      addHeadersOnExceeding: silent,
      addHeaders: silent,
    } as RateLimitOptions) as onRequestAsyncHookHandler,
  )
}
