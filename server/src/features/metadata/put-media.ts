// A file that comes with a form from another server: the same name takes the place of a former one, the same file changes nothing.
import type { Deps } from '../../platform/deps.js'
import type { Caller } from '../../platform/http/index.js'
import { deleteMetadata, listMetadata } from '../forms/index.js'
import { dropUploads } from '../uploads/index.js'
import { addEntry, holderFor } from './add-entry.js'
import type { IncomingFile } from './incoming.js'

export const putMedia = async (deps: Deps, caller: Caller, formId: number, file: IncomingFile): Promise<void> => {
  const holder = await holderFor(deps, caller, { xform: formId, data_type: 'media' })
  const media = await listMetadata(deps.db, { formIds: [formId], dataType: 'media' })
  const former = media.find(({ dataValue }) => dataValue === file.name)
  if (former?.fileHash === `md5:${file.upload.md5}`) return dropUploads(deps, [file.upload.key], undefined)
  if (former !== undefined) await deleteMetadata(deps.db, former.id, deps.clock.now())
  const body = { xform: formId, data_type: 'media', data_value: file.name } as const
  await addEntry(deps, caller, holder, body, { file })
}
