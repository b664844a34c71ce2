import type { Room } from '../../platform/deps.js'
import { thumbnailJob } from '../submissions/index.js'
import { listShownImages } from './attachments.queries.js'
import { fileRoutes } from './files.routes.js'
import { mediaRoutes, type PartOf } from './media.routes.js'
import { FileSender } from './send-file.js'

export type { MediaPart } from './attachments.queries.js'
export { drawPicture } from './pictures.js'
export { thumbnailEndings } from './thumbnails.js'

export const attachments =
  (partOf: PartOf): Room =>
  async (app, deps) => {
    const sender = new FileSender(deps)
    deps.jobs.handle(thumbnailJob, async ({ formId, submissionId }, { signal }) => {
      for (const image of await listShownImages(deps.db, formId, submissionId)) {
        signal.throwIfAborted()
        await sender.thumbnails.prepare(image, ['medium', 'small'])
      }
    })
    await fileRoutes(app, deps, sender)
    await mediaRoutes(app, deps, sender, partOf)
  }
