export { type Log, type LogFormat, type LogLevel, logFormats, logLevels, openLog, type RequestLog } from './log.js'
export {
  counter,
  gauge,
  joinSnapshots,
  type Metrics,
  type MetricsSnapshot,
  openMetrics,
  type Sample,
  samples,
} from './metrics.js'
export { watchStalls } from './stalls.js'
