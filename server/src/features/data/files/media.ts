// All files of a form's records as one zip, with a manifest of their hashes.
import { Readable } from 'node:stream'
import yazl from 'yazl'
import type { Db } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { FileMissing, type Files } from '../../../platform/files/index.js'
import type { Export } from '../reading/index.js'
import type { Slice } from '../selection/index.js'
import { type MediaFile, mediaFiles } from './media.queries.js'

/** What a path cannot hold is replaced. */
const safe = (name: string): string => name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+$/, '_')

/** A folder for each record: names are unique within one. Or one for each question, for people who look at them. */
const pathOf = ({ submissionId, name, question, createdAt }: MediaFile, isByQuestion: boolean): string =>
  isByQuestion
    ? `${safe(question?.split('/').at(-1) ?? 'other')}/${createdAt.toISOString().slice(0, 10)}_${submissionId}_${safe(name)}`
    : `${submissionId}/${safe(name)}`

/** Resolves when the file is in the zip; false when the store has lost it. */
const addFile = async (zip: yazl.ZipFile, files: Files, file: MediaFile, path: string): Promise<boolean> => {
  const content = await files.get(file.fileKey).catch((error: unknown) => {
    if (error instanceof FileMissing) return undefined
    throw error
  })
  if (content === undefined) return false
  const { stream, bytes } = content
  return new Promise((resolve, reject) => {
    stream.once('end', () => resolve(true)).once('error', reject)
    // Pictures and sounds are packed already.
    zip.addReadStream(stream, path, { mtime: file.createdAt, compress: false, size: bytes })
  })
}

async function* manifest(
  files: AsyncIterable<MediaFile>,
  lost: ReadonlySet<number>,
  isByQuestion: boolean,
): AsyncGenerator<string> {
  yield '['
  let isFirst = true
  for await (const file of files) {
    const { submissionId, uuid, question, mimetype, bytes, sha256, id } = file
    const entry = {
      path: pathOf(file, isByQuestion),
      sha256,
      bytes,
      mimetype,
      question,
      _id: submissionId,
      _uuid: uuid,
    }
    yield `${isFirst ? '\n' : ',\n'}${JSON.stringify(lost.has(id) ? { ...entry, missing: true } : entry)}`
    isFirst = false
  }
  yield '\n]\n'
}

export interface MediaRequest {
  readonly slice: Slice
  readonly formId: number
  readonly question: string | undefined
  /** These alone. */
  readonly ids: readonly number[] | undefined
  readonly isByQuestion: boolean
  readonly now: Date
}

export const mediaZipOf = ({ db, files }: Deps, request: MediaRequest): Export => {
  const { isByQuestion, now } = request
  let count = 0
  const fill = async (tx: Db, zip: yazl.ZipFile): Promise<void> => {
    const lost = new Set<number>()
    for await (const file of mediaFiles(tx, request)) {
      if (await addFile(zip, files, file, pathOf(file, isByQuestion))) count += 1
      else lost.add(file.id)
    }
    const listing = Readable.from(manifest(mediaFiles(tx, request), lost, isByQuestion), { objectMode: false })
    zip.addReadStream(listing, 'manifest.json', { mtime: now, compress: true })
    zip.end()
  }
  const bytes = db.snapshot(async (tx) => {
    // Begun once more where a copy gives up.
    count = 0
    const zip = new yazl.ZipFile()
    const output = zip.outputStream as Readable
    zip.on('error', (error: Error) => output.destroy(error))
    fill(tx, zip).catch((error: Error) => output.destroy(error))
    return output
  })
  return { bytes, rowCount: () => count }
}
