export { type Log, type LogLevel, logLevels, openLog, type RequestLog } from './log.js'
export { gauge, type Metrics, openMetrics } from './metrics.js'
