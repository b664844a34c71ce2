// Metrics in Prometheus' format. One registry per application, so that tests do not share counters.
import client from 'prom-client'

export type MetricsSnapshot = readonly client.MetricObjectWithValues<client.MetricValue<string>>[]

export interface Metrics {
  readonly registry: client.Registry
  observeRequest(operation: string, status: number, seconds: number): void
  observeStall(operation: string, seconds: number): void
  /** What is worked on, by name: operations and jobs. */
  begin(name: string): void
  end(name: string): void
  readonly inHand: () => string[]
  /** What is published; where several processes share a port, of all of them. */
  text: () => Promise<string>
  /** Of this process alone. */
  readonly snapshot: () => Promise<MetricsSnapshot>
}

/** The sum over processes; what cannot be added, such as delays, is averaged. */
export const joinSnapshots = (snapshots: readonly MetricsSnapshot[]): Promise<string> =>
  client.AggregatorRegistry.aggregate(snapshots as never).metrics()

/** Before every name of ours; those of the process (process_…, nodejs_…) are everybody's. */
const prefix = 'sheaf_'

export const openMetrics = (options: { withProcess: boolean }): Metrics => {
  const registry = new client.Registry()
  if (options.withProcess) client.collectDefaultMetrics({ register: registry })
  const requests = new client.Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Time from the first byte of a request to the last byte of its answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const stalls = new client.Histogram({
    name: `${prefix}event_loop_stall_seconds`,
    help: 'Moments in which the event loop was at work on one thing and answered nobody else, by the operation in hand.',
    labelNames: ['operation'],
    buckets: [0.1, 0.2, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const counts = new Map<string, number>()
  const count = (name: string, change: number) => counts.set(name, (counts.get(name) ?? 0) + change)
  return {
    registry,
    observeStall: (operation, seconds) => stalls.observe({ operation }, seconds),
    begin: (name) => count(name, 1),
    end: (name) => count(name, -1),
    inHand: () => [...counts].filter(([, number]) => number > 0).map(([name]) => name),
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    observeRequest: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
  }
}

/** A number that is read when the metrics are asked for. */
export const gauge = (metrics: Metrics, name: string, help: string, read: () => number): void => {
  new client.Gauge({
    name: `${prefix}${name}`,
    help,
    registers: [metrics.registry],
    collect() {
      this.set(read())
    },
  })
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Numbers by their labels, read when the metrics are asked for; none is no line. Of several processes behind a port they are added
 * up, unless something else is said of them. */
export const samples = (
  metrics: Metrics,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => Promise<readonly Sample[]>,
  aggregator: 'sum' | 'max' | 'min' = 'sum',
): void => {
  new client.Gauge({
    name: `${prefix}${name}`,
    help,
    aggregator,
    labelNames: [...labelNames],
    registers: [metrics.registry],
    async collect() {
      const all = await read()
      this.reset()
      // One without labels would say 0.
      if (all.length === 0 && labelNames.length === 0) this.remove()
      for (const { labels, value } of all) this.set({ ...labels }, value)
    },
  })
}

/** Counts by a label. Made again, it is the same one: a process has one of each. */
export const counter = (metrics: Metrics, name: string, help: string, label: string): ((value: string) => void) => {
  const full = `${prefix}${name}`
  const known = metrics.registry.getSingleMetric(full) as client.Counter<string> | undefined
  const counts = known ?? new client.Counter({ name: full, help, labelNames: [label], registers: [metrics.registry] })
  const lines = new Map<string, { inc(): void }>()
  return (value) => {
    const line = lines.get(value) ?? counts.labels(value)
    lines.set(value, line)
    line.inc()
  }
}
