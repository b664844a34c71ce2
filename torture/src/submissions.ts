// The form that is filled in, and the submissions of it as devices send them: with files, as edits, by a key, or as JSON.
import { createHash } from 'node:crypto'
import type { Chance } from '@sheaf/harness'

export const formText = `survey
,type,name,label
,text,name,Name
,integer,age,Age
,geopoint,place,Place
,file,one,First file
,file,two,Second file
settings
,form_id,form_title,version
,torture,Torture,1`

export interface SentFile {
  readonly name: string
  readonly bytes: Buffer
}

/** What is kept of a submission until the end; the bytes of its files are made again when it is sent again. */
export interface Submission {
  readonly id: string
  /** The instance id of the version that this one takes the place of. */
  readonly replaces?: string
  readonly isJson: boolean
  /** From a phone without an account. */
  readonly isByKey: boolean
  readonly files: readonly { readonly name: string; readonly size: number; readonly seed: number; sha256: string }[]
}

const sizeOf = (chance: Chance): number =>
  // One in a hundred is larger than what the server takes into memory.
  chance.isOneIn(100) ? chance.between(260_000, 400_000) : chance.between(10, 4000)

export const newSubmission = (chance: Chance, replaces?: string): Submission => {
  const isJson = replaces === undefined && chance.isOneIn(5)
  const count = isJson ? 0 : chance.between(0, 2)
  const id = chance.uuid()
  const files = ['one', 'two'].slice(0, count).map((name) => {
    const [size, seed] = [sizeOf(chance), chance.between(0, 2 ** 31)]
    return { name: `${name}-${id.slice(0, 8)}.bin`, size, seed, sha256: '' }
  })
  const isByKey = !isJson && replaces === undefined && chance.isOneIn(3)
  return { id, isJson, isByKey, files, ...(replaces !== undefined && { replaces }) }
}

const xmlOf = ({ id, replaces, files }: Submission): string => {
  const [one = '', two = ''] = files.map(({ name }) => name)
  const former = replaces === undefined ? '' : `<orx:deprecatedID>uuid:${replaces}</orx:deprecatedID>`
  return `<?xml version='1.0' ?><data xmlns:orx="http://openrosa.org/xforms" id="torture" version="1"><name>${id}</name><age>34</age><place>-1.26 36.79 1650.0 4.5</place><one>${one}</one><two>${two}</two><orx:meta><orx:instanceID>uuid:${id}</orx:instanceID>${former}</orx:meta></data>`
}

const boundary = 'eYkL7uCmCTWFXBdP7n2rz3'

const part = (name: string, type: string, bytes: Buffer): Buffer[] => [
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
  ),
  bytes,
  Buffer.from('\r\n'),
]

export interface Body {
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
}

export const bodyOf = (submission: Submission, key: string, bytesOf: (seed: number, size: number) => Buffer): Body => {
  if (submission.isJson) {
    const answers = { name: submission.id, age: 34, meta: { instanceID: `uuid:${submission.id}` } }
    const bytes = Buffer.from(JSON.stringify({ id: 'torture', submission: answers }))
    return { path: '/api/v1/submissions', type: 'application/json', bytes }
  }
  const files = submission.files.map((file) => {
    const bytes = bytesOf(file.seed, file.size)
    file.sha256 ||= createHash('sha256').update(bytes).digest('hex')
    return { name: file.name, bytes }
  })
  const bytes = Buffer.concat([
    ...part('xml_submission_file', 'text/xml', Buffer.from(xmlOf(submission))),
    ...files.flatMap((file) => part(file.name, 'application/octet-stream', file.bytes)),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  const path = submission.isByKey
    ? `/key/${key}/submission?deviceID=torture%3A${submission.id.slice(0, 1)}`
    : '/ana/submission'
  return { path, type: `multipart/form-data; boundary=${boundary}`, bytes }
}
