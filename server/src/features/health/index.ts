export { healthRoutes } from './health.routes.js'
export { startMetricsServer } from './metrics-server.js'
