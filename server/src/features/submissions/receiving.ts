// How a submission becomes part of a form's data: exactly once, whatever is sent how often.
import { type Answers, encryptedMediaOf, mediaOf } from '../../formats/instance/index.js'
import { flights } from '../../platform/batching/index.js'
import { DatabaseBusy, DatabaseUnavailable, type Db, oneMachine } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, signInFirst } from '../../platform/http/index.js'
import { enqueue } from '../../platform/jobs/index.js'
import { type FormModels, type FoundForm, findIsTaking, findXml, formModels } from '../forms/index.js'
import { deadKey, isKeyRunning, isLinkFull } from '../keys/index.js'
import { dropUploads } from '../uploads/index.js'
import { insertAttachments, listFilesOf } from './attachments.queries.js'
import { type EditTarget, lockByInstanceId, lockRecord } from './edit.queries.js'
import { settleRecordFiles } from './files-of-record.js'
import {
  claimForetold,
  dropForetold,
  findOwnByInstanceId,
  isSender,
  releaseForetold,
  type Sender,
  settleForetold,
} from './foretold.queries.js'
import { touchSubmission } from './kept-on-records.queries.js'
import type { Premise } from './premise.js'
import { findByInstanceId, insertOfForms, insertSubmissions, type Received } from './receive.queries.js'
import { storeEdit } from './store-edit.js'
import {
  type Arrival,
  type Derived,
  type Device,
  derive,
  deriveInTurns,
  largeXmlBytes,
  type NewSubmission,
  type ReceivedFile,
} from './submission.js'
import { filesOfOthers, inactiveForm, keyMayEditNot, mayEditNot, staleEdit } from './submissions.errors.js'
import { thumbnailJob } from './submissions.jobs.js'
import { countSubmissions } from './submissions.metrics.js'

/** A flight this size takes about as long as two commits. */
const mostTogether = 64
/** Characters of XML; a submission is 2,000, and a few large ones make a flight of their own. */
const heaviestFlight = 1_000_000
/** Larger ones may take seconds, where a form has indexes on parts of answers. */
const heaviestShared = 200_000
/** Flights at a time, of different forms: one may have to wait for an import that holds an instance id. */
const lanes = 3
/** Of imports, which take that long, every id is held. */
const heldUpMs = 60_000
/** Longer than a flight takes that waits for nobody. */
const slowFlightMs = 25
const slotsOfProcess = 16
/** So often what an edit replaces may come and go while the edit is being stored. */
const mostTries = 10

export interface Submission {
  readonly form: FoundForm
  readonly caller: Caller
  readonly arrival: Arrival
  readonly files: readonly ReceivedFile[]
  readonly device?: Device | undefined
  readonly status: string
  /** When it was made, where that is not now. */
  readonly submittedAt?: Date | undefined
}

interface Incoming {
  readonly form: FoundForm
  readonly submission: NewSubmission
}

export interface Outcome {
  readonly kind: 'created' | 'edited' | 'duplicate'
  readonly uuid: string
  readonly version: string
  readonly submittedAt: Date
  readonly modifiedAt: Date
}

export class Receiving {
  readonly #deps: Deps
  readonly #models: FormModels
  readonly #count: (outcome: string) => void
  readonly #slot: number
  readonly #insert: (formId: number, one: Incoming) => Promise<Received>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#models = formModels(deps.db)
    this.#count = countSubmissions(deps.metrics)
    // Processes that receive at once add to different rows of the counter; slot 0 is for corrections.
    this.#slot = 1 + Math.floor(Math.random() * slotsOfProcess) * lanes
    const isOneMachine = oneMachine(deps.db)
    this.#insert = flights<Incoming, Received>(
      async (groups, { lane, isPatient }) => {
        const parts = groups.map(({ items }) => ({
          form: (items[0] as Incoming).form,
          batch: items.map(({ submission }) => submission),
        }))
        const moment = { slot: this.#slot + lane, now: deps.clock.now(), isPatient }
        return insertOfForms(deps.db, { ...moment, isOneMachine: parts.length > 1 && (await isOneMachine()) }, parts)
      },
      {
        mostItems: mostTogether,
        mostWeight: heaviestFlight,
        mostShared: heaviestShared,
        weigh: ({ submission }) => submission.xml.length,
        partOfAll: 0.5,
        lanes,
        slowMs: slowFlightMs,
        isFatal: (error) => error instanceof DatabaseUnavailable && !(error instanceof DatabaseBusy),
        // Of an instance id that an import holds, only the submission that has it waits and is sent back.
        isHeldUp: (error) => error instanceof DatabaseBusy,
        heldUpMs,
      },
    )
  }

  /** Read by the version that it names; one that the form never had is read by the present one. */
  async derive(form: FoundForm, arrival: Arrival): Promise<Derived> {
    const named = arrival.version === null || arrival.version === form.version ? undefined : arrival.version
    const number = named === undefined ? undefined : await this.#models.numberOf(this.#deps.db, form.id, named)
    const definition = await this.#models.get(this.#deps.db, form.id, number ?? form.versionNumber)
    const reading = { number: definition.number, version: form.version, fields: definition.fields }
    return arrival.xml.length > largeXmlBytes ? deriveInTurns(arrival, reading) : derive(arrival, reading)
  }

  /** Returns when everything is durable. What is not taken of the files is removed; after an error all of them are the
   * caller's to drop. */
  async receive(submission: Submission): Promise<Outcome> {
    const { deprecatedId } = submission.arrival
    const derived = await this.derive(submission.form, submission.arrival)
    const outcome = await (deprecatedId === null
      ? this.#create(submission, derived)
      : this.#replace(submission, derived, deprecatedId))
    this.#count(outcome.kind)
    return outcome
  }

  /** A new record by a precedent, where it holds; undefined: nothing was stored, and it goes the ordinary way. */
  async receiveLike(submission: Submission, premise: Premise): Promise<Outcome | undefined> {
    const now = this.#deps.clock.now()
    const new_ = newSubmission(submission, await this.derive(submission.form, submission.arrival), now)
    const { id } = await this.#store(submission.form, { ...new_, premise }, now)
    if (id === null) return undefined
    this.#count('created')
    return created(new_, now)
  }

  async #create(submission: Submission, derived: Derived): Promise<Outcome> {
    const { form } = submission
    const now = this.#deps.clock.now()
    const new_ = newSubmission(submission, derived, now)
    const { id, isTaking } = await this.#store(form, new_, now)
    if (!isTaking) throw inactiveForm()
    if (id !== null) return created(new_, now)
    const isFree = await releaseForetold(this.#deps.db, form.id, derived.uuid, senderIn(submission))
    return isFree ? this.#create(submission, derived) : this.#complete(submission, derived)
  }

  /** What is counted against the limit of a link goes alone; everything else with what arrives meanwhile. */
  async #store(form: FoundForm, submission: NewSubmission, now: Date): Promise<Received> {
    if (submission.device?.key?.kind !== 'link') return this.#insert(form.id, { form, submission })
    const [one] = await insertSubmissions(this.#deps.db, { form, slot: this.#slot, now }, [submission])
    return one as Received
  }

  /** An edit of what is there; of what is not there yet, a record that the original will find. */
  async #replace(submission: Submission, derived: Derived, deprecatedId: string): Promise<Outcome> {
    for (let tries = 1; tries <= mostTries; tries++) {
      const outcome =
        (await this.#edit(submission, derived, deprecatedId)) ??
        (await this.#foretell(submission, derived, deprecatedId))
      if (outcome !== undefined) return outcome
    }
    throw staleEdit()
  }

  /** Undefined: what it replaces has come meanwhile. In a transaction of its own: what claims two ids is taken as a whole or
   * not at all, and there are few. The former id comes first: whoever waits for somebody else's holds nothing that others
   * want. */
  async #foretell(submission: Submission, derived: Derived, formerId: string): Promise<Outcome | undefined> {
    const { form, device } = submission
    // Nothing replaces itself, and a link, which strangers have, edits nothing.
    if (formerId === derived.uuid || device?.key?.kind === 'link') return this.#create(submission, derived)
    const now = this.#deps.clock.now()
    const new_ = newSubmission(submission, derived, now)
    const sender = senderIn(submission)
    const outcome = await this.#deps.db.transaction(async (tx) => {
      if (!(await claimForetold(tx, form.id, formerId))) {
        await releaseForetold(tx, form.id, formerId, sender)
        return undefined
      }
      await releaseForetold(tx, form.id, derived.uuid, sender)
      const [one] = await insertSubmissions(tx, { form, slot: this.#slot, now }, [new_])
      if (one?.isTaking === false) throw inactiveForm()
      const isNew = typeof one?.id === 'number'
      // Known already: perhaps an edit of it came before, and what it replaces itself comes last.
      const record = isNew ? one : await findOwnByInstanceId(tx, form.id, derived.uuid, sender)
      if (typeof record?.id === 'number') await settleForetold(tx, form.id, formerId, record.id)
      else await dropForetold(tx, form.id, formerId)
      return isNew ? created(new_, now) : 'known'
    })
    return outcome === 'known' ? this.#complete(submission, derived) : outcome
  }

  /** The same submission again: its XML is not touched, files that are still missing are added when it comes from the same
   * sender. Instance ids are no secret: whoever knows one could otherwise put files into somebody's record. */
  async #complete(submission: Submission, { uuid, version }: Derived): Promise<Outcome> {
    const { form, files, device } = submission
    const now = this.#deps.clock.now()
    const duplicate: Outcome = { kind: 'duplicate', uuid, version, submittedAt: now, modifiedAt: now }
    const key = device?.key ?? null
    if (files.length === 0 && key === null) return duplicate
    const found = await findByInstanceId(this.#deps.db, form.id, uuid)
    // Neither new nor known: in the moment of storing it, the key was good no longer, or at its limit.
    if (found === undefined && key !== null) {
      throw deadKey(key.kind, (await isLinkFull(this.#deps.db, key)) ? 'full' : undefined)
    }
    const unused = await this.#deps.db.transaction(async (tx) => {
      await refuseClosed(tx, form.id)
      return this.#addMissing(tx, submission, found?.id, isSameSender)
    })
    await dropUploads(this.#deps, unused, undefined)
    return duplicate
  }

  async #addFiles(tx: Db, submission: Submission, submissionId: number, mayAdd: MayAdd): Promise<string[]> {
    const { form, files } = submission
    const record = await lockRecord(tx, form.id, submissionId)
    if (record === undefined || record.isDeleted) return []
    const stored = await listFilesOf(tx, form.id, [submissionId])
    const known = new Set(stored.map(({ name }) => name))
    const missing = onePerName(files).filter(({ name }) => !known.has(name))
    if (missing.length === 0) return []
    const now = this.#deps.clock.now()
    const media = await this.#mediaOf(tx, form.id, record)
    if (!mayAdd(submission, record)) {
      // What the record still waits for must not be acknowledged and dropped: its sender would delete it.
      if (missing.some(({ name }) => media.has(name))) throw mayAddNot(submission.caller)
      return []
    }
    const taken = await insertAttachments(tx, form, submissionId, missing, now)
    await settleRecordFiles(tx, form.id, [{ id: submissionId, media }], { preference: 'shown', now })
    await touchSubmission(tx, form.id, submissionId, now)
    await this.#enqueueThumbnails(tx, form.id, submissionId, missing)
    return taken
  }

  async #mediaOf(
    tx: Db,
    formId: number,
    record: { answers: string; modelNumber: number },
  ): Promise<Map<string, string>> {
    const answers = JSON.parse(record.answers) as Answers
    if (answers.base64EncryptedKey !== undefined) return encryptedMediaOf(answers)
    return mediaOf(answers, (await this.#models.get(tx, formId, record.modelNumber)).fields)
  }

  async #enqueueThumbnails(
    tx: Db,
    formId: number,
    submissionId: number,
    files: readonly ReceivedFile[],
  ): Promise<void> {
    if (files.some(({ mimetype }) => mimetype.startsWith('image/'))) {
      await enqueue(tx, thumbnailJob, { formId, submissionId })
    }
  }

  /** Undefined: the form knows nothing of what it is said to replace. */
  async #edit(submission: Submission, derived: Derived, deprecatedId: string): Promise<Outcome | undefined> {
    const { form, caller, arrival, files } = submission
    let unused: string[] = []
    const outcome = await this.#deps.db.transaction<Outcome | undefined>(async (tx) => {
      const target = await lockByInstanceId(tx, form.id, deprecatedId)
      if (target === undefined || isOfOthers(target, submission)) return undefined
      const now = this.#deps.clock.now()
      const known = await findByInstanceId(tx, form.id, derived.uuid)
      // The edit that foretold the id comes again: what took it as a record takes the rest of it, too.
      if (!isForetelling(target, known)) await this.#checkMayEdit(tx, submission, target)
      await refuseClosed(tx, form.id)
      if (known !== undefined) {
        // Whoever may edit the record may complete the edit.
        const recordId = known.id === target.id ? target.id : undefined
        unused = await this.#addMissing(tx, submission, recordId, () => true)
        const { uuid, version } = derived
        return { kind: 'duplicate', uuid, version, submittedAt: target.submittedAt, modifiedAt: now }
      }
      // Somebody was faster, or it is gone: what was sent stays with the sender.
      if (target.uuid !== deprecatedId || target.isDeleted) throw staleEdit()
      if (files.length > 0) await insertAttachments(tx, form, target.id, onePerName(files), now)
      const by = { editedBy: senderOf(caller), deviceKey: submission.device?.key?.name ?? null }
      const context = { formId: form.id, ...by, preference: 'newest', now } as const
      await storeEdit(tx, context, { ...derived, xml: arrival.xml, target })
      await this.#enqueueThumbnails(tx, form.id, target.id, files)
      const { uuid, version } = derived
      return { kind: 'edited', uuid, version, submittedAt: target.submittedAt, modifiedAt: now }
    })
    await dropUploads(this.#deps, unused, undefined)
    return outcome
  }

  /** By a key: what came through the same key, where the version that is named lets phones edit. */
  async #checkMayEdit(tx: Db, { form, caller, arrival, device }: Submission, target: EditTarget): Promise<void> {
    const key = device?.key ?? null
    if (key === null) return checkMayEdit(form, caller, target)
    const isOwn = key.kind === 'device' && target.deviceKeyId === key.id
    if (!isOwn || !(await this.#isClientEditable(tx, form, arrival.version))) throw keyMayEditNot()
    if (!(await isKeyRunning(tx, key, this.#deps.clock.now()))) throw deadKey(key.kind)
  }

  async #isClientEditable(tx: Db, form: FoundForm, version: string | null): Promise<boolean> {
    const isPresent = version === null || version === form.version
    const number = isPresent ? form.versionNumber : await this.#models.numberOf(tx, form.id, version)
    const found = number === undefined ? undefined : await findXml(tx, form.id, number)
    return found !== undefined && /:client-editable\s*=\s*["']true["']/.test(found.xml)
  }

  /** Adds what is missing to a record that was received before, perhaps edited since; answers the keys of the rest. */
  async #addMissing(tx: Db, submission: Submission, recordId: number | undefined, mayAdd: MayAdd): Promise<string[]> {
    const { files } = submission
    const isNothing = recordId === undefined || files.length === 0
    const taken = isNothing ? [] : await this.#addFiles(tx, submission, recordId, mayAdd)
    return files.map(({ key }) => key).filter((key) => !taken.includes(key))
  }
}

/** Null: somebody who did not sign in. */
const senderOf = (caller: Caller): number | null => (caller.isAnonymous ? null : caller.id)

const senderIn = ({ caller, device }: Submission): Sender => ({
  submittedBy: senderOf(caller),
  deviceKeyId: device?.key?.id ?? null,
  deviceId: device?.id ?? null,
})

const newSubmission = (submission: Submission, derived: Derived, now: Date): NewSubmission => ({
  derived,
  xml: submission.arrival.xml,
  status: submission.status,
  submittedAt: submission.submittedAt ?? now,
  submittedBy: senderOf(submission.caller),
  files: onePerName(submission.files),
  device: submission.device,
})

const created = ({ derived: { uuid, version }, submittedAt }: NewSubmission, modifiedAt: Date): Outcome => ({
  kind: 'created',
  uuid,
  version,
  submittedAt,
  modifiedAt,
})

/** A second file of one name in one post is the same file. */
const onePerName = (files: readonly ReceivedFile[]): ReceivedFile[] => [
  ...new Map(files.map((file) => [file.name, file])).values(),
]

/** It may have been closed while the body was arriving: asked in the transaction that stores. */
const refuseClosed = async (tx: Db, formId: number): Promise<void> => {
  if (!(await findIsTaking(tx, formId))) throw inactiveForm()
}

/** Foretold by somebody else: it says nothing of this sender's records. */
const isOfOthers = (target: EditTarget, submission: Submission): boolean =>
  target.isForetold && !isSender(target, senderIn(submission))

const isForetelling = (target: EditTarget, known: { readonly id: number } | undefined): boolean =>
  target.isForetold && known?.id === target.id

interface SentRecord {
  readonly submittedBy: number | null
  readonly deviceKeyId: number | null
}

type MayAdd = (submission: Submission, record: SentRecord) => boolean

/** Of a phone's record all keys of the form's project bring the rest, since it may have been set up anew meanwhile; a link, which
 * strangers have, only what came by itself. */
const isSameSender: MayAdd = ({ caller, device }, { submittedBy, deviceKeyId }) => {
  const key = device?.key ?? null
  const isOwn = submittedBy === senderOf(caller) && (submittedBy !== null || deviceKeyId === (key?.id ?? null))
  return isOwn || (key?.kind === 'device' && deviceKeyId !== null)
}

const mayAddNot = (caller: Caller) =>
  caller.isAnonymous && caller.credential.kind !== 'key' ? signInFirst() : filesOfOthers()

/** Editing is never open to everybody; whoever sees only their own records edits only those. */
const checkMayEdit = (form: FoundForm, caller: Caller, target: EditTarget): void => {
  if (caller.isAnonymous) throw signInFirst()
  const isOwn = target.submittedBy === caller.id
  if (!form.access.may('change') || (!form.access.may('view_all') && !isOwn)) throw mayEditNot(caller.username, form)
}
