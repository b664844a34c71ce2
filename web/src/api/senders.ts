// Who sent records of a form, when last: read from its newest records, as many as one page shows.
import { careful } from './client'
import { errorOf } from './errors'

export interface Sender {
  /** Empty where somebody sent without an account. */
  readonly username: string
  readonly last: string
  readonly records: number
}

export interface Senders {
  readonly senders: readonly Sender[]
  /** How many of the newest records were looked at. */
  readonly looked: number
  readonly isAll: boolean
}

interface SentRecord {
  readonly _submitted_by?: string | null
  readonly _submission_time?: string
}

/** More would take longer than anybody waits; the newest are what is asked for. */
export const newestRecords = 500

export const sendersIn = (records: readonly SentRecord[]): Sender[] => {
  const found = new Map<string, Sender>()
  for (const { _submitted_by: by, _submission_time: time = '' } of records) {
    const username = by ?? ''
    const known = found.get(username) ?? { username, last: time, records: 0 }
    found.set(username, { username, last: time > known.last ? time : known.last, records: known.records + 1 })
  }
  return [...found.values()].toSorted((a, b) => (a.last < b.last ? 1 : -1))
}

export const sendersKey = (formId: number) => ['form', formId, 'senders'] as const

export const lastSenders = async (formId: number): Promise<Senders> => {
  const asked = new URLSearchParams({
    fields: JSON.stringify(['_submitted_by', '_submission_time']),
    sort: JSON.stringify({ _id: -1 }),
    page: '1',
    page_size: String(newestRecords),
  })
  const answer = await careful(`/api/v1/data/${formId}?${asked}`)
  if (!answer.ok) throw errorOf(answer.status, await answer.json().catch(() => undefined), answer.headers)
  const records = (await answer.json()) as SentRecord[]
  return { senders: sendersIn(records), looked: records.length, isAll: records.length < newestRecords }
}
