// From what a receiver said to what is written down.
import type { Claim, DeliveryState, Outcome } from '../deliveries/index.js'
import { nextTryAt, type Verdict } from './verdict.js'

export interface Result {
  readonly claim: Claim
  readonly verdict: Verdict
}

const stateOf = ({ claim, verdict }: Result, retryHours: number, now: Date): DeliveryState => {
  switch (verdict.kind) {
    case 'delivered':
      return 'delivered'
    case 'deleted':
      return 'skipped'
    case 'interrupted':
      return 'pending'
    case 'again':
      return now.getTime() - claim.firstTryAt.getTime() < retryHours * 3_600_000 ? 'pending' : 'failed'
    case 'refused':
      return 'failed'
  }
}

export const outcomeOf = (result: Result, retryHours: number, now: Date): Outcome => {
  const { claim, verdict } = result
  const isInterrupted = verdict.kind === 'interrupted'
  return {
    serviceId: claim.serviceId,
    id: claim.id,
    claimNo: claim.claimNo,
    state: stateOf(result, retryHours, now),
    dueAt: isInterrupted ? now : nextTryAt(claim.tries, verdict.waitSeconds, now),
    status: verdict.status,
    error: verdict.error,
    response: verdict.response,
    isInterrupted,
  }
}
