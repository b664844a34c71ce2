// What Aggregate answers to Briefcase, as XML.
import { embedded, escapeText } from '../../formats/xml/index.js'

const namespace = 'http://opendatakit.org/submissions'

const element = (name: string, text: string): string => `<${name}>${escapeText(text)}</${name}>`

export const idChunkXml = (uuids: readonly string[], cursor: string): string =>
  `<idChunk xmlns="${namespace}"><idList>${uuids.map((uuid) => element('id', `uuid:${uuid}`)).join('')}</idList>${element('resumptionCursor', cursor)}</idChunk>`

export interface PulledFile {
  readonly name: string
  readonly md5: string
  readonly address: string
}

export interface PulledRecord {
  readonly uuid: string
  /** As received. */
  readonly xml: string
  readonly submittedAt: Date
}

export const submissionXml = ({ uuid, xml, submittedAt }: PulledRecord, files: readonly PulledFile[]): string => {
  const submissionDate = submittedAt.toISOString().replace('Z', '+00:00')
  const media = files.map(
    ({ name, md5, address }) =>
      `<mediaFile>${element('filename', name)}${element('hash', `md5:${md5}`)}${element('downloadUrl', address)}</mediaFile>`,
  )
  return `<submission xmlns="${namespace}" xmlns:orx="http://openrosa.org/xforms"><data>${embedded(xml, { instanceID: `uuid:${uuid}`, submissionDate })}</data>${media.join('')}</submission>`
}
