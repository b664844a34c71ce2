import type { WorkloadReport } from './report.js'

export interface Run {
  /** Shorter, for a first look. */
  readonly isQuick: boolean
  /** Tells the progress bar what is happening; `share` goes from 0 to 1. */
  progress(share: number, what: string): void
}

export interface Workload {
  readonly name: string
  readonly description: string
  run(run: Run): Promise<WorkloadReport>
}
