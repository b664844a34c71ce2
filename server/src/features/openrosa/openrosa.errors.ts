import { AppError, invalid, tooLarge } from '../../platform/http/index.js'

export const badId = (what: 'Project' | 'XForm') =>
  new AppError({ code: 'openrosa.bad_id', status: 400, message: `Invalid ${what} id.` })

export const closedForm = () =>
  new AppError({ code: 'openrosa.closed', status: 403, message: 'This form is closed. It takes no more records.' })

export const badSubmissionFormat = () =>
  new AppError({
    code: 'submission.bad_format',
    status: 400,
    message: 'Incorrect format.',
    body: [
      'Incorrect format, see format details: an object {"id": "form id", "submission": {"question": "answer", "group": {…}, "repeat": [{…}]}}.',
    ],
  })

export const emptyJson = () =>
  new AppError({
    code: 'submission.empty',
    status: 400,
    message: 'Received empty submission. No instance was created',
    fields: { submission: ['Received empty submission. No instance was created'] },
  })

export const unknownQuestions = (keys: string) =>
  invalid({ submission: [`The form asks for no such question(s): ${keys}. Take them out, or leave strict away.`] })

/** Rounded up: what is a byte too large is shown as larger. */
const megabytes = (bytes: number): string => `${Math.ceil(bytes / 100_000) / 10} MB`

/** `bytes`: unknown where the sender did not announce it. Whoever reads it has a phone that cannot send less. */
export const postTooLarge = (limitBytes: number, bytes: number | undefined) => {
  const size = bytes === undefined ? `more than ${megabytes(limitBytes)}` : megabytes(bytes)
  return tooLarge(
    `The record with its files has ${size}; this server takes ${megabytes(limitBytes)} at once. Keep it, and show this to your supervisor.`,
  )
}
