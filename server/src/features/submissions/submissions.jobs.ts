import { defineJob } from '../../platform/jobs/index.js'

/** Small pictures of a submission's images; made by the room that serves them. */
export const thumbnailJob = defineJob<{ formId: number; submissionId: number }>('attachments.thumbnails', {
  maxAttempts: 5,
})
