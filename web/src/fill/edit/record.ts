// A stored record, to be changed in the form: its instance as it was received, and its files.
import { careful } from '@/api/client'
import { errorOf } from '@/api/errors'
import { type DataRecord, getHistory, getRecord, getRecordXml } from '@/api/records'
import type { Picture } from '../keep'
import { answersOf } from './differences'

export interface Stored {
  readonly record: DataRecord
  /** `uuid:…` of its present version. */
  readonly instanceId: string
  readonly xml: string
}

export const loadRecord = async (formId: number, id: string): Promise<Stored> => {
  const record = await getRecord(formId, id.replace(/^uuid:/, ''))
  return { record, instanceId: `uuid:${record._uuid}`, xml: await getRecordXml(formId, record._id) }
}

/** All of them: the renderer shows nothing before it has them. */
export const filesOf = ({ record }: Stored): Promise<Picture[]> =>
  Promise.all(
    record._attachments.map(async ({ name, download_url: address }) => {
      const { pathname, search } = new URL(address, location.href)
      const answer = await careful(pathname + search)
      if (!answer.ok) throw errorOf(answer.status, undefined, answer.headers)
      return { name, blob: await answer.blob() }
    }),
  )

export const namesOf = ({ record }: Stored): string[] => record._attachments.map(({ name }) => name)

/** Answers of the version that somebody began with; undefined where it cannot be found. */
export const baseOf = async (
  formId: number,
  { record }: Stored,
  instanceId: string,
): Promise<Map<string, string> | undefined> => {
  const history = await getHistory(formId, record._id).catch(() => [])
  const base = history.find(({ _uuid }) => `uuid:${_uuid}` === instanceId)
  return base === undefined ? undefined : answersOf(base)
}
