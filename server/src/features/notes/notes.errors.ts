import { forbidden, invalid } from '../../platform/http/index.js'

export const notAQuestion = () => invalid({ non_field_errors: ['instance_field must be a field on the form'] })

export const tooManyNotes = (most: number) =>
  invalid({ non_field_errors: [`A record has at most ${most} notes. Delete some that are settled.`] })

export const otherRecord = () => invalid({ instance: ['A note stays with its record. Make a new one there.'] })

export const noteOfReview = () =>
  forbidden('This note is the comment of a review. Change or delete the review at /submissionreview.')
