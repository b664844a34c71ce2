// What becomes of submissions, for /metrics: counted in memory, where it is known anyway.
import type { App } from '../../platform/http/index.js'
import { counter, type Metrics } from '../../platform/telemetry/index.js'

export const countSubmissions = (metrics: Metrics): ((outcome: string) => void) =>
  counter(
    metrics,
    'submissions_total',
    'Submissions that were received: created, edited, or a duplicate of one that is there. Imports are not in it.',
    'outcome',
  )

/** Of every way to send one, whoever refuses it: before the room is asked, too. */
export const countRefusals = (app: App, metrics: Metrics): void => {
  const count = counter(
    metrics,
    'submissions_refused_total',
    'Submissions that were not taken, by HTTP status.',
    'status',
  )
  app.addHook('onResponse', (request, reply, done) => {
    const isSent = request.method === 'POST' && request.routeOptions.config?.share === 'receiving'
    if (isSent && reply.statusCode >= 400) count(String(reply.statusCode))
    done()
  })
}
