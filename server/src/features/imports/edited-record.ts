// A stored record with some answers changed: its XML with those changes in it, read again like any other.
import {
  type Change,
  Draft,
  type FileNames,
  holdTheSame,
  type InstanceIds,
  merged,
} from '../../formats/import/index.js'
import { type Answers, parseInstance, parseInstanceInTurns } from '../../formats/instance/index.js'
import type { Definition } from '../forms/index.js'
import { arrivalOf, type Derived, derive, largeXmlBytes, type RecordContent } from '../submissions/index.js'

export interface EditedRecord extends Derived {
  readonly xml: string
}

/** Exports give addresses with their host or without. */
export const filesOf = (files: RecordContent['files']): FileNames =>
  new Map(files.map(({ name, download_url }) => [download_url, name]))

interface Versions {
  /** By which it was read when it came. */
  readonly own: Definition
  readonly current: Definition
  /** The name of the current one. */
  readonly version: string
}

const treeOf = (xml: string) => (xml.length > largeXmlBytes ? parseInstanceInTurns(xml) : parseInstance(xml))

/** Its own version where that asks for everything that changes; the newest where it does not. */
const inTurn = ({ own, current }: Versions, changes: readonly Change[]): readonly Definition[] => {
  const isKnown = changes.every(({ question }) => own.fields.byKey.has(question.key))
  return isKnown ? [own, current] : [current, own]
}

/**
 * Undefined where no version reads it as it is meant: a group of one version may be a repeat of another. Whatever the XML is
 * made of, what is read from it is compared with what the record is to hold.
 */
export const editedRecord = async (
  { xml: former, answers, version: formerVersion }: RecordContent,
  changes: readonly Change[],
  ids: InstanceIds,
  versions: Versions,
): Promise<EditedRecord | undefined> => {
  const wanted = merged(structuredClone(answers), changes)
  for (const definition of inTurn(versions, changes)) {
    const isNewer = definition === versions.current && definition !== versions.own
    const draft = Draft.ofStored(await treeOf(former), isNewer ? versions.version : undefined)
    for (const change of changes) draft.apply(change)
    const xml = draft.xml(ids)
    const version = isNewer ? versions.version : formerVersion
    const derived = derive(arrivalOf(xml, await treeOf(xml)), {
      number: definition.number,
      version,
      fields: definition.fields,
    })
    if (holdTheSame(JSON.parse(derived.answers) as Answers, wanted)) return { ...derived, xml }
  }
  return undefined
}
