export { type HealthOptions, healthRoutes } from './health.routes.js'
export { type Installation, kept, readInstallation, watchInstallation } from './installation.js'
export { startMetricsServer } from './metrics-server.js'
export { readiness } from './readiness.js'
