// How drafts and what was sent to them look on the wire.
import { csvLine } from '../../formats/csv/index.js'
import type { Deps } from '../../platform/deps.js'
import type { Caller } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { type FoundForm, isDownloadable, type Metadata, missingFiles } from '../forms/index.js'
import { addressOfKey, managedKey, tokenFor } from '../keys/index.js'
import { type DraftMedia, listDraftMedia } from './draft-media.queries.js'
import type { DraftRecord } from './draft-records.queries.js'
import { draftChanged } from './drafts.errors.js'
import { type FormDraft, getDraftTexts } from './drafts.queries.js'
import type { DraftView } from './drafts.schemas.js'
import { modelIn } from './model-in.js'

type View = Static<typeof DraftView>

const mediaView = ({ id, name, change, fileBytes }: DraftMedia) => ({ id, name, change, bytes: fileBytes })

/** As the form's own entries, for what compares names. */
const asMetadata = ({ name, fileKey }: DraftMedia) => ({ dataType: 'media', dataValue: name, fileKey }) as Metadata

export const draftView = async (
  { db, secrets }: Deps,
  { origin, caller, form }: { origin: string; caller: Caller; form: FoundForm },
  draft: FormDraft,
): Promise<View> => {
  const key = await managedKey(db, caller, String(draft.keyId))
  const token = tokenFor(secrets, caller, key)
  const media = await listDraftMedia(db, draft.id)
  const texts = await getDraftTexts(db, draft.id)
  if (texts === undefined) throw draftChanged()
  const present = media.filter(({ change }) => change !== 'removed')
  return {
    form: draft.formId,
    id_string: form.idString,
    published: form.state !== 'draft',
    title: draft.title,
    version: draft.version,
    hash: draft.hash,
    revision: draft.revision,
    based_on: draft.basedOn,
    encrypted: draft.publicKey !== '',
    warnings: [...draft.warnings],
    spreadsheet: isDownloadable(draft.sourceName) ? `${origin}/api/v1/forms/${draft.formId}/draft/spreadsheet` : null,
    missing_files: missingFiles(await modelIn(texts.model), present.map(asMetadata)),
    media: media.map(mediaView),
    records: draft.records,
    created_by: draft.createdBy,
    created_at: draft.createdAt.toISOString(),
    saved_by: draft.savedBy,
    saved_at: draft.savedAt.toISOString(),
    key: draft.keyId,
    ...(token !== undefined && { token, address: token === null ? null : addressOfKey(origin, token) }),
  }
}

/** Beside the answers, under the names that records have. */
export const recordView = (origin: string, formId: number, record: DraftRecord): Record<string, unknown> => ({
  ...record.answers,
  _id: record.id,
  _uuid: record.uuid,
  _submission_time: record.receivedAt.toISOString().slice(0, 19),
  _version: record.version,
  _device_id: record.deviceId,
  _attachments: record.files.map(({ id, name, mimetype }) => ({
    id,
    name,
    mimetype,
    download_url: `${origin}/api/v1/forms/${formId}/draft/files/${id}`,
  })),
  _total_media: record.mediaTotal,
})

const isEntries = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null)

/** A repeat side by side: `kids[1]/name`. */
const flatten = (answers: Readonly<Record<string, unknown>>, cells: Map<string, string>, from = '', to = ''): void => {
  for (const [key, value] of Object.entries(answers)) {
    const heading = to + key.slice(from.length)
    if (isEntries(value)) {
      for (const [index, entry] of value.entries()) flatten(entry, cells, key, `${heading}[${index + 1}]`)
    } else if (value !== null && value !== undefined) {
      cells.set(heading, typeof value === 'string' ? value : JSON.stringify(value))
    }
  }
}

const ownColumns = ['_id', '_uuid', '_submission_time', '_version', '_device_id'] as const

/** One wide table: a column for every answer that some record has, in the order in which they first come. */
export const recordsCsv = (origin: string, formId: number, records: readonly DraftRecord[]): string => {
  const rows = records.map((record) => {
    const cells = new Map<string, string>()
    flatten(record.answers, cells)
    return { cells, view: recordView(origin, formId, record) }
  })
  const columns = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))]
  const lines = rows.map(({ cells, view }) =>
    csvLine([
      ...columns.map((column) => cells.get(column) ?? null),
      ...ownColumns.map((name) => (view[name] === null ? null : String(view[name]))),
    ]),
  )
  return [csvLine([...columns, ...ownColumns]), ...lines].join('')
}
