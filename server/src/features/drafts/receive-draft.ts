// What phones send to a draft: each instance id once, in tables of its own. An edit of what was sent before is one more.
import { budgets } from '../../budgets.js'
import { fieldsOf } from '../../formats/form/index.js'
import { type FairGate, fairGate } from '../../platform/concurrency/index.js'
import type { Deps } from '../../platform/deps.js'
import { deadKey, isKeyGood, type ShownKey } from '../keys/index.js'
import {
  arrivalIn,
  checkEncryption,
  type Derived,
  derive,
  largeXmlBytes,
  type ReceivedFile,
  unknownForm,
} from '../submissions/index.js'
import { dropUploads } from '../uploads/index.js'
import { addDraftFiles, insertDraftRecord, type Load, loadOfDraft } from './draft-records.queries.js'
import { draftFull } from './drafts.errors.js'
import { type DeviceDraft, getDraftTexts, lockDraft } from './drafts.queries.js'
import { modelIn } from './model-in.js'

const { records: mostRecords, xmlBytes: mostXmlBytes, fileBytes: mostFileBytes } = budgets.drafts
const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

const refuseFull = ({ records, xmlBytes, fileBytes }: Load): void => {
  if (records > mostRecords) throw draftFull(`${mostRecords} records`)
  if (xmlBytes > mostXmlBytes) throw draftFull(`${megabytes(mostXmlBytes)} of records`)
  if (fileBytes > mostFileBytes) throw draftFull(`${megabytes(mostFileBytes)} of files`)
}

export interface DraftPost {
  readonly draft: DeviceDraft
  readonly key: ShownKey
  readonly deviceId: string | null
  readonly xml: Buffer
  keepFiles(): Promise<readonly ReceivedFile[]>
}

export interface DraftOutcome {
  readonly isNew: boolean
  readonly uuid: string
  readonly version: string
  readonly receivedAt: Date
}

/** A second file of one name in one post is the same file. */
const onePerName = (files: readonly ReceivedFile[]): ReceivedFile[] => [
  ...new Map(files.map((file) => [file.name, file])).values(),
]

export class DraftReceiving {
  readonly #deps: Deps
  /** As a tree it takes ten times the memory. */
  readonly #large: FairGate = fairGate(budgets.queues.largeSubmissions)

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Returns when everything is durable. After an error the files are the caller's to drop. */
  receive(post: DraftPost): Promise<DraftOutcome> {
    const work = () => this.#receive(post)
    return post.xml.length > largeXmlBytes ? this.#large(`draft ${post.draft.id}`, work) : work()
  }

  async #receive(post: DraftPost): Promise<DraftOutcome> {
    const { draft } = post
    const arrival = await arrivalIn(post.xml)
    const isMeant = arrival.formUuid === draft.uuid || arrival.formId?.toLowerCase() === draft.idString.toLowerCase()
    if (!isMeant) throw unknownForm()
    checkEncryption(draft, arrival)
    const texts = await getDraftTexts(this.#deps.db, draft.id)
    if (texts === undefined) throw deadKey('draft')
    const fields = fieldsOf(await modelIn(texts.model))
    const derived = derive(arrival, { number: 0, version: draft.version, fields })
    return this.#store(post, derived, arrival.xml, await post.keepFiles())
  }

  /** A body may take an hour to arrive: whether the draft is still there is asked where it is stored. */
  async #store(post: DraftPost, derived: Derived, xml: string, files: readonly ReceivedFile[]): Promise<DraftOutcome> {
    const { draft, key, deviceId } = post
    const { uuid, answers, version, media } = derived
    const now = this.#deps.clock.now()
    const { isNew, taken } = await this.#deps.db.transaction(async (tx) => {
      if (!(await lockDraft(tx, draft.id)) || !(await isKeyGood(tx, key, now))) throw deadKey('draft')
      const record = { uuid, xml, answers, version, mediaTotal: media.size, deviceId, now }
      const inserted = await insertDraftRecord(tx, draft.id, record)
      const keys = files.length === 0 ? [] : await addDraftFiles(tx, draft.id, uuid, onePerName(files))
      if (inserted || keys.length > 0) refuseFull(await loadOfDraft(tx, draft.id))
      return { isNew: inserted, taken: new Set(keys) }
    })
    const unused = files.map(({ key }) => key).filter((key) => !taken.has(key))
    await dropUploads(this.#deps, unused, undefined)
    return { isNew, uuid, version, receivedAt: now }
  }
}
