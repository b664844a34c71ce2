// Files of a submission on their way into the store.
import { pipeline, Readable, Transform } from 'node:stream'
import { fileTypeFromBuffer } from 'file-type'
import { lookup } from 'mime-types'
import type { Deps } from '../../platform/deps.js'
import { baseName } from '../../platform/http/index.js'
import { storeUpload } from '../uploads/index.js'
import type { ReceivedFile } from './submission.js'
import { nameTooLong } from './submissions.errors.js'

const longestName = 100
/** What telling a type by its content needs to see. */
const headBytes = 4100
const unknownType = 'application/octet-stream'

/** Without folders and control characters; a name never becomes a path. */
export const fileName = (sent: string): string => {
  const name = baseName(sent)
    .replace(/\p{Cc}/gu, '')
    .trim()
  if (name.length > longestName) throw nameTooLong()
  return name
}

const ofSound = /^(audio|video)\//
const withSignature = /^(image|audio|video)\/|^application\/(pdf|zip|gzip|msword|vnd\.)/

/** What the content is counts, not what it is called. A field worker's file is never refused for it: it is kept, and
 * served as what it is. */
const typeOf = async (given: string, name: string, head: Uint8Array): Promise<string> => {
  const declared = given.toLowerCase()
  const claimed =
    !/^[\w.+-]+\/[\w.+-]+$/.test(declared) || declared === unknownType || declared === '*/*'
      ? lookup(name) || unknownType
      : declared
  const found = (await fileTypeFromBuffer(head))?.mime as string | undefined
  if (found === undefined) return withSignature.test(claimed) ? unknownType : claimed
  // The same container holds sound or moving pictures: who sends it knows which.
  return ofSound.test(found) && ofSound.test(claimed) ? claimed : found
}

interface Incoming {
  readonly name: string
  readonly type: string
  readonly source: Readable | Buffer
}

/** Streams it into the store; durable when it returns. */
export const storeFile = async (deps: Deps, { name, type, source }: Incoming): Promise<ReceivedFile> => {
  const head: Buffer[] = []
  let seen = 0
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (seen < headBytes) head.push(chunk.subarray(0, headBytes - seen))
      seen += chunk.length
      done(null, chunk)
    },
  })
  const stream = Buffer.isBuffer(source) ? Readable.from([source]) : source
  // Either may fail before the store reads it; whoever reads then hears of it.
  pipeline(stream, watch, () => undefined)
  watch.on('error', () => undefined)
  const { key, bytes, sha256, md5 } = await storeUpload(deps, watch, { folder: 'attachments' })
  return { name, key, bytes, sha256, md5, mimetype: await typeOf(type, name, Buffer.concat(head)) }
}
