export { type Log, type LogFormat, type LogLevel, logFormats, logLevels, openLog, type RequestLog } from './log.js'
export { gauge, joinSnapshots, type Metrics, type MetricsSnapshot, openMetrics } from './metrics.js'
export { watchStalls } from './stalls.js'
