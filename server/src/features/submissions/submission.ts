// A submission as it is stored: computed once, when it arrives, from its XML and the form's definition.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FormFields } from '../../formats/form/index.js'
import {
  type Answers,
  answersOf,
  durationOf,
  type Element,
  encryptedMediaOf,
  mediaOf,
  placeOfRecord,
  textAt,
} from '../../formats/instance/index.js'
import type { FoundKey } from '../keys/index.js'
import type { Premise } from './premise.js'

/** Above it, reading takes long enough for others to have turns in between. */
export const largeXmlBytes = 256 * 1024

/** What the XML says of itself, before its form is known. */
export interface Arrival {
  readonly xml: string
  readonly root: Element
  /** The form's id, as the root names it. */
  readonly formId: string | null
  readonly formUuid: string | null
  /** Without `uuid:`; null: the server makes one. */
  readonly instanceId: string | null
  /** Of the version that this one takes the place of. */
  readonly deprecatedId: string | null
  readonly version: string | null
  readonly isEncrypted: boolean
}

const blankIsNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text)

/** A prefix alone is no id: every record that has it would be the same one. */
const withoutPrefix = (id: string | null): string | null => blankIsNull(id?.replace(/^uuid:\s*/, ''))

/** `orx:version`, which forms of other tools have. */
const prefixedVersion = (attributes: Element['attributes']): string | undefined => {
  for (const name in attributes) if (name.endsWith(':version') && !name.startsWith('xmlns:')) return attributes[name]
  return undefined
}

export const arrivalOf = (xml: string, root: Element): Arrival => ({
  xml,
  root,
  formId: blankIsNull(root.attributes.id),
  formUuid: textAt(root, 'form', 'uuid') ?? textAt(root, 'formhub', 'uuid'),
  // Other servers hand records on with their id on the root, and so do forms that have no group meta.
  instanceId: withoutPrefix(textAt(root, 'meta', 'instanceID') ?? blankIsNull(root.attributes.instanceID?.trim())),
  deprecatedId: withoutPrefix(textAt(root, 'meta', 'deprecatedID')),
  version: blankIsNull(root.attributes.version ?? prefixedVersion(root.attributes)),
  isEncrypted: root.attributes.encrypted === 'yes',
})

/** The columns that follow from the XML and the definition alone: deriving them again gives the same. */
export interface Derived {
  readonly uuid: string
  readonly answers: string
  readonly version: string
  readonly modelNumber: number
  readonly rootName: string
  readonly duration: number | null
  readonly latitude: number | null
  readonly longitude: number | null
  /** File names that answers give, each with the key of the question. */
  readonly media: ReadonlyMap<string, string>
}

export interface Reading {
  readonly number: number
  readonly version: string
  readonly fields: FormFields
}

export const derive = (arrival: Arrival, reading: Reading): Derived =>
  derivedFrom(answersOf(arrival.root, reading.fields), arrival, reading)

/** For large ones: others have a turn in between. */
export const deriveInTurns = async (arrival: Arrival, reading: Reading): Promise<Derived> => {
  const answers = answersOf(arrival.root, reading.fields)
  // Once leads to the end of this turn of the loop, twice to the end of the next: only then others were asked.
  await setImmediate()
  await setImmediate()
  return derivedFrom(answers, arrival, reading)
}

const derivedFrom = (answers: Answers, arrival: Arrival, reading: Reading): Derived => {
  const place = placeOfRecord(answers, reading.fields)
  return {
    uuid: arrival.instanceId ?? randomUUID(),
    answers: JSON.stringify(answers),
    version: arrival.version ?? reading.version,
    modelNumber: reading.number,
    rootName: arrival.root.name,
    duration: durationOf(answers, reading.fields),
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    media: arrival.isEncrypted ? encryptedMediaOf(answers) : mediaOf(answers, reading.fields),
  }
}

/** A file that came with a submission and is in the store. */
export interface ReceivedFile {
  /** As the answer names it: no path. */
  readonly name: string
  readonly key: string
  readonly mimetype: string
  readonly bytes: number
  readonly sha256: string
  readonly md5: string
}

/** What a submission came from. */
export interface Device {
  /** The key that let it in; null: its sender signed in, or did not need to. */
  readonly key: FoundKey | null
  /** What the device says of itself; null: nothing. */
  readonly id: string | null
  readonly agent: string | null
}

export interface NewSubmission {
  readonly derived: Derived
  readonly xml: string
  readonly status: string
  readonly submittedAt: Date
  readonly submittedBy: number | null
  readonly files: readonly ReceivedFile[]
  readonly device?: Device | undefined
  /** It is stored only where this holds. */
  readonly premise?: Premise | undefined
}
