export { healthRoutes } from './health.routes.js'
export { watchInstallation } from './installation.js'
export { startMetricsServer } from './metrics-server.js'
