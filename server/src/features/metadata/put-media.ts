// Files that come with a form from another server: the same name takes the place of a former one, the same file changes nothing.
import type { Db } from '../../platform/db/index.js'
import { deleteFormMetadata, insertMetadata, listMetadata } from '../forms/index.js'
import { takeFiles } from '../uploads/index.js'
import type { AcceptedMedia } from './add-entry.js'

interface Put {
  readonly formId: number
  readonly files: readonly AcceptedMedia[]
  readonly by: number
  readonly now: Date
}

/** In the transaction that stores their form. Of two with one name the last is meant. Answers the keys of those that were stored. */
export const putMedia = async (tx: Db, { formId, files, by, now }: Put): Promise<string[]> => {
  const present = new Map(
    (await listMetadata(tx, { formIds: [formId], dataType: 'media' })).map((one) => [one.dataValue, one.fileHash]),
  )
  const meant = [...new Map(files.map((file) => [file.name, file])).values()]
  const others = meant.filter(({ name, upload }) => present.get(name) !== `md5:${upload.md5}`)
  for (const { name, type, upload } of others) {
    const which = { dataType: 'media', dataValue: name }
    if (present.has(name)) await deleteFormMetadata(tx, formId, which, now)
    await insertMetadata(tx, { formId, ...which, file: { ...upload, type }, createdBy: by, now })
  }
  const keys = others.map(({ upload }) => upload.key)
  await takeFiles(tx, keys)
  return keys
}
