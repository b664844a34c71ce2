export { type Log, type LogLevel, logLevels, openLog, type RequestLog } from './log.js'
export { gauge, joinSnapshots, type Metrics, type MetricsSnapshot, openMetrics } from './metrics.js'
export { watchStalls } from './stalls.js'
