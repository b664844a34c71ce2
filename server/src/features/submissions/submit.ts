// From XML text to a stored submission: what every way in shares.
import { isUtf8 } from 'node:buffer'
import { budgets } from '../../budgets.js'
import { type Element, InstanceMalformed, parseInstance, parseInstanceInTurns } from '../../formats/instance/index.js'
import { momentOf } from '../../formats/moments/index.js'
import { fairGate } from '../../platform/concurrency/index.js'
import type { Deps } from '../../platform/deps.js'
import type { Caller } from '../../platform/http/index.js'
import type { FoundForm } from '../forms/index.js'
import { deadKey, type FoundKey, isKeyGood } from '../keys/index.js'
import { type Precedent, Precedents, type Submitter } from './premises.js'
import { type Outcome, Receiving } from './receiving.js'
import { type Arrival, arrivalOf, type Device, largeXmlBytes, type ReceivedFile } from './submission.js'
import { brokenInBrowser, corruptUpload, emptySubmission, malformedXml } from './submissions.errors.js'
import {
  checkEncryption,
  checkKeyMaySubmit,
  checkMaySubmit,
  type FindTarget,
  findTarget,
  type TargetScope,
  targetFinder,
} from './target.js'

export interface Submitted {
  readonly form: FoundForm
  readonly outcome: Outcome
}

const longestKey = 249
/** As received: UTF-8, the byte order mark included. */
const decode = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw corruptUpload()
  return bytes.toString('utf8')
}

/** What a browser puts into the place of answers that it could not parse: taken for a record, it would say that they arrived. */
const isPageOfFault = ({ name, attributes }: Element): boolean =>
  name === 'parsererror' && attributes.xmlns === 'http://www.w3.org/1999/xhtml'

const arrivalAt = (xml: string, root: Element): Arrival => {
  if (root.children.length === 0) throw emptySubmission()
  if (root.children.some(isPageOfFault)) throw brokenInBrowser()
  const arrival = arrivalOf(xml, root)
  // They are keys, and a key has a longest length.
  const keys = [arrival.instanceId, arrival.deprecatedId, arrival.version]
  if (keys.some((key) => key !== null && key.length > longestKey)) throw malformedXml()
  return arrival
}

const refusal = (error: unknown): unknown => (error instanceof InstanceMalformed ? malformedXml() : error)

/** A large one is read in turns. */
export const arrivalIn = async (xml: Buffer): Promise<Arrival> => {
  const text = decode(xml)
  return xml.length > largeXmlBytes ? readArrivalInTurns(text) : readArrival(text)
}

export const readArrival = (xml: string): Arrival => {
  if (xml.trim() === '') throw emptySubmission()
  try {
    return arrivalAt(xml, parseInstance(xml))
  } catch (error) {
    throw refusal(error)
  }
}

/** Others have a turn in between. */
export const readArrivalInTurns = async (xml: string): Promise<Arrival> => {
  if (xml.trim() === '') throw emptySubmission()
  try {
    return arrivalAt(xml, await parseInstanceInTurns(xml))
  } catch (error) {
    throw refusal(error)
  }
}

/** The root may say when it was made; a time that cannot be read, that lies ahead or before all phones, is none. */
const submissionDate = ({ root }: Arrival, now: Date): Date | undefined => {
  const time = new Date(momentOf(root.attributes.submissionDate ?? '') ?? Number.NaN)
  return time.getTime() >= 0 && time <= now ? time : undefined
}

/** Whoever did not sign in waits with all others that send to the same account. */
const lineOf = (caller: Caller, scope: TargetScope): string =>
  caller.isAnonymous ? JSON.stringify(scope) : String(caller.id)

/** Undefined: it is refused, in words that whoever asks by the ordinary way hears. */
const readableArrival = (xml: Buffer): Arrival | undefined => {
  try {
    return readArrival(decode(xml))
  } catch {
    return undefined
  }
}

const status = 'submitted_via_web'

export class Submissions {
  readonly receiving: Receiving
  readonly #deps: Deps
  readonly #find: FindTarget
  readonly #precedents = new Precedents()
  readonly #large = fairGate(budgets.queues.largeSubmissions)

  constructor(deps: Deps) {
    this.#deps = deps
    this.receiving = new Receiving(deps)
    this.#find = targetFinder(deps)
  }

  /** The form of an id, when the caller may submit to it. */
  async formById(caller: Caller, scope: TargetScope, formId: string): Promise<FoundForm> {
    const form = await findTarget(this.#find, caller, scope, { formUuid: null, formId })
    checkMaySubmit(form, caller)
    return form
  }

  async submit(
    submitter: Submitter,
    xml: Buffer,
    keepFiles: () => Promise<readonly ReceivedFile[]>,
    device: Device,
    sender: string,
  ): Promise<Submitted> {
    const { caller, scope } = submitter
    // As a tree it takes ten times the memory: large ones go through two at a time, past others, and are read in turns.
    const isLarge = xml.length > largeXmlBytes
    const work = async () => {
      const arrival = await arrivalIn(xml)
      const form = await findTarget(this.#find, caller, scope, arrival).catch((error) =>
        this.#unlessDead(device, error),
      )
      if (device.key === null) checkMaySubmit(form, caller)
      else await checkKeyMaySubmit(this.#deps, form, device.key)
      checkEncryption(form, arrival)
      const submitted = await this.submitArrival(caller, form, arrival, await keepFiles(), device)
      if (submitted.outcome.kind === 'created') this.#precedents.remember(sender, arrival, submitter, form)
      return submitted
    }
    return isLarge ? this.#large(lineOf(caller, scope), work) : work()
  }

  /** Whether the sender has submitted before. */
  hasPrecedent(sender: string): boolean {
    return this.#precedents.has(sender)
  }

  /** By whom and how the sender's last submission to the same form was let in, if that still holds; undefined: nothing was stored,
   * whatever the reason is. The ordinary way finds it. `deviceOf`: what sends, with the key that let it in. */
  async submitLike(
    sender: string,
    xml: Buffer,
    deviceOf: (key: FoundKey | null) => Device,
  ): Promise<(Submitted & Precedent) | undefined> {
    const arrival = xml.length > largeXmlBytes ? undefined : readableArrival(xml)
    const precedent = arrival && this.#precedents.find(sender, arrival)
    if (precedent === undefined) return undefined
    const { caller, key, form, premise } = precedent
    const submittedAt = submissionDate(arrival as Arrival, this.#deps.clock.now())
    const outcome = await this.receiving.receiveLike(
      { form, caller, arrival: arrival as Arrival, files: [], device: deviceOf(key), status, submittedAt },
      premise,
    )
    return outcome && { ...precedent, outcome }
  }

  /** With its project a key is gone, and so are its forms: the key is what the phone is told of. */
  async #unlessDead({ key }: Device, error: unknown): Promise<never> {
    const { db, clock } = this.#deps
    if (key !== null && !(await isKeyGood(db, key, clock.now()))) throw deadKey(key.kind)
    throw error
  }

  async submitArrival(
    caller: Caller,
    form: FoundForm,
    arrival: Arrival,
    files: readonly ReceivedFile[],
    device?: Device,
  ): Promise<Submitted> {
    checkEncryption(form, arrival)
    const submittedAt = submissionDate(arrival, this.#deps.clock.now())
    const outcome = await this.receiving.receive({
      form,
      caller,
      arrival,
      files,
      device,
      status,
      submittedAt,
    })
    return { form, outcome }
  }
}
