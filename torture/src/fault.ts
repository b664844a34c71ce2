// What a fault is, and what it is given.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '@sheaf/harness'
import { type Answer, isYes, send, type Target } from './client.js'
import type { Ledger } from './ledger.js'
import type { Place } from './place.js'
import { newSubmission } from './submissions.js'

export interface Context {
  readonly place: Place
  readonly target: Target
  readonly ledger: Ledger
  readonly chance: Chance
  /** Share of the usual length: 1 for a run of five minutes. */
  readonly scale: number
  /** Something that should not be; the run goes on, and fails in the end. */
  find(what: string): void
  say(what: string): void
}

export interface Fault {
  readonly name: string
  readonly description: string
  /** Of the whole, about: for the progress bar. */
  readonly weight: number
  /** Answers what was done, in a line. Undefined: it could not be done here. */
  run(context: Context): Promise<string | undefined>
}

export const pause = (milliseconds: number): Promise<void> => sleep(milliseconds)

/** One submission that is sent now, whatever comes of it. */
export const sendOne = async ({ target, ledger, chance }: Context): Promise<Answer> => {
  const submission = newSubmission(chance)
  const answer = await send(target, submission)
  ledger.count(answer.status)
  if (isYes(answer)) ledger.acknowledge(submission, undefined)
  else ledger.doubt(submission, undefined)
  return answer
}

/** Until a submission is taken again; answers after how many seconds. */
export const recovered = async (context: Context, mostSeconds: number): Promise<number> => {
  const begun = performance.now()
  for (;;) {
    if (isYes(await sendOne(context))) break
    if (performance.now() - begun > mostSeconds * 1000) {
      context.find(`no submission was taken for ${mostSeconds} s after the fault was over`)
      break
    }
    await pause(100)
  }
  return (performance.now() - begun) / 1000
}
