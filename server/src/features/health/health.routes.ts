// For those who run the service: is it alive, is it ready, what does it measure.
import type { FastifyRequest } from 'fastify'
import type { Deps, Room } from '../../platform/deps.js'
import { errors, inMedia, notFound } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { gauge } from '../../platform/telemetry/index.js'
import { isReady, readiness } from './readiness.js'

export interface HealthOptions {
  migrationsFolder: string
}

const Status = Type.Object({ status: Type.String() }, { examples: [{ status: 'ok' }] })

const Readiness = Type.Object(
  { status: Type.String(), database: Type.String(), migrations: Type.String(), files: Type.String() },
  { examples: [{ status: 'ready', database: 'ok', migrations: 'ok', files: 'ok' }] },
)

export const healthRoutes =
  ({ migrationsFolder }: HealthOptions): Room =>
  async (app, deps) => {
    app.get(
      '/healthz',
      {
        config: { operation: 'health.alive', access: 'anyone', share: 'none' },
        schema: { summary: 'The process is alive', tags: ['health'], response: { 200: Status } },
      },
      async () => ({ status: 'ok' }),
    )

    app.get(
      '/readyz',
      {
        config: { operation: 'health.ready', access: 'anyone', share: 'none' },
        schema: {
          summary: 'Database and files can be reached, and the database is migrated',
          tags: ['health'],
          response: { 200: Readiness, 503: Readiness },
        },
      },
      async (_request, reply) => {
        const parts = await readiness(deps, migrationsFolder)
        const [code, status] = isReady(parts) ? ([200, 'ready'] as const) : ([503, 'not ready'] as const)
        return reply.code(code).send({ status, ...parts })
      },
    )

    countPool(deps)
    app.get(
      '/metrics',
      {
        config: { operation: 'health.metrics', access: 'anyone', share: 'none' },
        schema: {
          summary: 'Metrics in Prometheus’ format',
          description: 'Answers to this machine only; METRICS_PORT gives them a port of their own.',
          tags: ['health'],
          response: {
            200: inMedia(
              Type.String({ description: 'Lines of text.', examples: ['sheaf_submissions_total 1200\n'] }),
              'text/plain',
            ),
            ...errors(404),
          },
        },
      },
      async (request, reply) => {
        if (!isFromThisMachine(request)) throw notFound()
        return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.text())
      },
    )
  }

/** A proxy on this machine forwards strangers: what it forwards does not count as local. */
const isFromThisMachine = ({ raw, headers }: FastifyRequest): boolean => {
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)
  return !isForwarded && /^(127\.|::1$|::ffff:127\.)/.test(raw.socket.remoteAddress ?? '')
}

const countPool = ({ db, metrics }: Deps): void => {
  const sum = (name: 'totalCount' | 'idleCount' | 'waitingCount') => () =>
    db.pools.reduce((total, pool) => total + pool[name], 0)
  gauge(metrics, 'database_connections', 'Open connections of this process.', sum('totalCount'))
  const forRequests = () => db.pool.totalCount + db.reserved.pool.totalCount
  gauge(metrics, 'database_connections_requests', 'Of them, those for requests and for receiving.', forRequests)
  gauge(metrics, 'database_connections_idle', 'Open connections that nobody uses.', sum('idleCount'))
  gauge(metrics, 'database_streams', 'Connections that lists and exports hold while they are read.', db.streamsNow)
  gauge(metrics, 'database_waiting', 'Requests that wait for a connection.', sum('waitingCount'))
}
