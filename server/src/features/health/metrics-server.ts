// /metrics on a port of its own, for a collector on another machine.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from '../../platform/telemetry/index.js'

export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

export const startMetricsServer = async (metrics: Metrics, host: string, port: number): Promise<MetricsServer> => {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(await metrics.text())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
}
