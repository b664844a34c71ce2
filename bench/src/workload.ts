import type { DataPlace } from './data-place.js'
import type { WorkloadReport } from './report.js'

export interface Run {
  /** Shorter, for a first look. */
  readonly isQuick: boolean
  /** Tells the progress bar what is happening; `share` goes from 0 to 1. */
  progress(share: number, what: string): void
  /** Opened by the first workload that asks, closed after the last. */
  dataPlace(): Promise<DataPlace>
}

export interface Workload {
  readonly name: string
  readonly description: string
  run(run: Run): Promise<WorkloadReport>
}
