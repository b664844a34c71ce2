// Which files may be added, told by their names and checked by their content.
import { fileTypeFromBuffer } from 'file-type'
import { lookup } from 'mime-types'
import { budgets } from '../../budgets.js'
import { extensionOf, hasDoubleExtension } from '../uploads/index.js'

/** What telling a type by its content needs to see. */
export const headBytes = 4100

const largeEndings = new Set(['mp4', 'csv'])

const { mediaBytes, largeMediaBytes } = budgets.bodies

export const largestFile = (name: string): number =>
  largeEndings.has(extensionOf(name)) ? largeMediaBytes : mediaBytes
export const largestOfAll = largeMediaBytes

/** Ending → what the content may be; nothing: text, which has no mark to be told by. A container is told by its first
 * bytes, and what it holds often only by its last. */
const pictures = {
  png: ['image/png'],
  jpg: ['image/jpeg'],
  jpeg: ['image/jpeg'],
  gif: ['image/gif'],
  webp: ['image/webp'],
}
const films = ['video/mp4', 'audio/mp4', 'audio/x-m4a', 'video/x-m4v', 'video/quicktime', 'video/3gpp']
const zipped = (...types: string[]) => ['application/zip', ...types]
const office = 'application/vnd.openxmlformats-officedocument'

const media: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    ...pictures,
    csv: [],
    geojson: [],
    xml: ['application/xml'],
    zip: zipped(),
    mp3: ['audio/mpeg'],
    wav: ['audio/wav', 'audio/vnd.wave'],
    ogg: ['audio/ogg', 'video/ogg', 'application/ogg'],
    m4a: films,
    mp4: films,
    '3gp': films,
  }),
)

const documents: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    ...pictures,
    csv: [],
    txt: [],
    xml: ['application/xml'],
    zip: zipped(),
    pdf: ['application/pdf'],
    doc: ['application/x-cfb'],
    xls: ['application/x-cfb'],
    docx: zipped(`${office}.wordprocessingml.document`),
    xlsx: zipped(`${office}.spreadsheetml.sheet`),
    pptx: zipped(`${office}.presentationml.presentation`),
    odt: zipped('application/vnd.oasis.opendocument.text'),
    ods: zipped('application/vnd.oasis.opendocument.spreadsheet'),
  }),
)

const allowedFor = (dataType: string) => (dataType === 'media' ? media : documents)

export const nameFault = (dataType: string, name: string): string | undefined => {
  const allowed = allowedFor(dataType)
  if (!allowed.has(extensionOf(name))) return `Send one of: ${[...allowed.keys()].join(', ')}.`
  return hasDoubleExtension(name) ? 'Its name has two endings.' : undefined
}

/** Text has no zero bytes in any encoding that devices read it in. */
const isText = (head: Uint8Array): boolean => !head.includes(0)

export const contentFault = async (dataType: string, name: string, head: Uint8Array): Promise<string | undefined> => {
  const ending = extensionOf(name)
  const types = allowedFor(dataType).get(ending) ?? []
  const found = (await fileTypeFromBuffer(head))?.mime as string | undefined
  const isAsCalled = found === undefined ? isTextEnding(ending) && isText(head) : types.includes(found)
  return isAsCalled ? undefined : `Its content is not that of a .${ending} file.`
}

const isTextEnding = (ending: string): boolean => ['csv', 'geojson', 'txt', 'xml'].includes(ending)

/** By its ending, which its content was found to agree with; what the sender calls it does not count. */
export const mimetypeOf = (name: string): string =>
  // What devices and Enketo know XML by.
  extensionOf(name) === 'xml' ? 'text/xml' : lookup(name) || 'application/octet-stream'
