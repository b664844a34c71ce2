import type { Static } from '../../platform/schema/index.js'
import { addressOf } from '../submissions/index.js'
import type { Attachment } from './attachments.queries.js'
import type { MediaView } from './attachments.schemas.js'
import { type PictureSize, pictureType } from './pictures.js'

export const downloadAddress = (origin: string, { id, storedName }: Attachment, size?: PictureSize): string =>
  `${origin}/api/v1/files/${id}?filename=${addressOf(storedName)}${size === undefined ? '' : `&suffix=${size}`}`

export const mediaView = (origin: string, one: Attachment): Static<typeof MediaView> => {
  const hasPictures = pictureType(one.mimetype) !== undefined
  return {
    url: `${origin}/api/v1/media/${one.id}`,
    filename: one.storedName,
    mimetype: one.mimetype,
    field_xpath: one.question,
    id: one.id,
    xform: one.formId,
    instance: one.submissionId,
    download_url: downloadAddress(origin, one),
    small_download_url: hasPictures ? downloadAddress(origin, one, 'small') : '',
    medium_download_url: hasPictures ? downloadAddress(origin, one, 'medium') : '',
  }
}
