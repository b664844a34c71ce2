import type { Static } from '../../platform/schema/index.js'
import type { Review } from './reviews.queries.js'
import type { ReviewView } from './reviews.schemas.js'

export const reviewView = (one: Omit<Review, 'noteId'>): Static<typeof ReviewView> => ({
  id: one.id,
  instance: one.submissionId,
  created_by: one.createdBy,
  status: one.status,
  note: one.note,
  date_created: one.createdAt.toISOString(),
  date_modified: one.modifiedAt.toISOString(),
})
