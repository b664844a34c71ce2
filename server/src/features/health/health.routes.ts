// For those who run the service: is it alive, is it ready, what does it measure.
import type { FastifyRequest } from 'fastify'
import type { ReplicaReport } from '../../platform/db/index.js'
import type { Deps, Room } from '../../platform/deps.js'
import { errors, inMedia, notFound } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { counter, gauge, samples } from '../../platform/telemetry/index.js'
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
    countReplicas(deps)
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

/** Of this process: each has connections of its own to the replicas, and asks for itself how far they are. */
const countReplicas = ({ db: { replicas }, metrics }: Deps): void => {
  const publish = (name: string, help: string, read: (report: ReplicaReport) => number, worst: 'min' | 'max') => {
    const sampleOf = (report: ReplicaReport) => ({ labels: { replica: report.name }, value: read(report) })
    samples(metrics, name, help, ['replica'], async () => (replicas?.reports ?? []).map(sampleOf), worst)
  }
  const isReady = ({ state }: ReplicaReport) => Number(state === 'ready')
  publish('replica_ready', '1 while lists, exports and charts are read from the replica.', isReady, 'min')
  publish('replica_lag_seconds', 'How old what the replica has is.', ({ lagSeconds }) => lagSeconds, 'max')
  publish('replica_lag_bytes', 'Changes that the replica has not applied yet.', ({ lagBytes }) => lagBytes, 'max')
  const reads = counter(metrics, 'replica_reads_total', 'What a replica may answer, by who did.', 'where')
  const passed = counter(metrics, 'replica_fallbacks_total', 'Turns to the primary instead of a replica.', 'reason')
  replicas?.watch({ read: reads, passed })
}
