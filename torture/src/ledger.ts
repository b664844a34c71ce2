// What the senders know: what was acknowledged, and what nobody can say of. It is what the server is judged by.
import type { Submission } from './submissions.js'

interface Entry {
  /** What the record must be in the end. */
  current: Submission
  /** All instance ids that were acknowledged for it. */
  readonly ids: string[]
  isBeingEdited: boolean
}

export class Ledger {
  /** By the instance id that each record began with. */
  readonly records = new Map<string, Entry>()
  /** Sent, and never answered with a yes: they are sent again. */
  readonly unknown: { submission: Submission; origin: string | undefined }[] = []
  readonly statuses = new Map<number, number>()
  acknowledgements = 0
  readonly #editable: string[] = []

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  acknowledge(submission: Submission, origin: string | undefined): void {
    this.acknowledgements += 1
    if (origin === undefined) {
      this.records.set(submission.id, { current: submission, ids: [submission.id], isBeingEdited: false })
      if (this.records.size % 8 === 0) this.#editable.push(submission.id)
      return
    }
    const record = this.records.get(origin)
    if (record === undefined) throw new Error(`An edit of ${origin}, which nobody sent`)
    record.current = submission
    record.ids.push(submission.id)
    record.isBeingEdited = false
    this.#editable.push(origin)
  }

  doubt(submission: Submission, origin: string | undefined): void {
    this.unknown.push({ submission, origin })
  }

  /** A record that nobody edits now; it is taken until its edit is acknowledged. */
  takeEditable(): { origin: string; replaces: string } | undefined {
    const origin = this.#editable.shift()
    const record = origin === undefined ? undefined : this.records.get(origin)
    if (origin === undefined || record === undefined || record.isBeingEdited) return undefined
    record.isBeingEdited = true
    return { origin, replaces: record.current.id }
  }
}
