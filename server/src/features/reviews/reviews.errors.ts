import { AppError, type FieldErrors } from '../../platform/http/index.js'

export const noComment = 'Cannot reject a submission without a comment.'

/** Of a list: the faults of each item in its place, nothing for those that are right. */
export const invalidItems = (faults: readonly FieldErrors[]) =>
  new AppError({ code: 'review.invalid', status: 400, message: 'Some reviews are invalid.', body: faults })
