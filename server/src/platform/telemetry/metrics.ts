// Metrics in Prometheus' format. One registry per application, so that tests do not share counters.
import client from 'prom-client'

export interface Metrics {
  readonly registry: client.Registry
  observeRequest(operation: string, status: number, seconds: number): void
}

export const openMetrics = (options: { withProcess: boolean }): Metrics => {
  const registry = new client.Registry()
  if (options.withProcess) client.collectDefaultMetrics({ register: registry })
  const requests = new client.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  return {
    registry,
    observeRequest: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
  }
}

/** A number that is read when the metrics are asked for. */
export const gauge = (metrics: Metrics, name: string, help: string, read: () => number): void => {
  new client.Gauge({
    name,
    help,
    registers: [metrics.registry],
    collect() {
      this.set(read())
    },
  })
}
