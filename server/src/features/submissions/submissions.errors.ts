import { AppError, badRequest } from '../../platform/http/index.js'

const refused = (status: number, code: string, message: string) =>
  new AppError({ code: `submission.${code}`, status, message })

export const noXml = () => refused(400, 'no_xml', 'No XML submission file.')
export const severalXml = (count: number) =>
  refused(400, 'several_xml', `There are ${count} parts xml_submission_file. Send one submission at a time.`)
export const emptySubmission = () => refused(400, 'empty', 'Received empty submission. No instance was created')
export const malformedXml = () => refused(400, 'malformed', 'Improperly formatted XML.')
export const brokenInBrowser = () =>
  refused(
    400,
    'broken_in_browser',
    'The browser could not read its own answers, and sent a page that says so. Download the answers, and fill in the form again.',
  )
export const noFormId = () => refused(400, 'no_form_id', 'Username or ID required.')
export const nameTooLong = () => refused(400, 'name_too_long', 'Attachment file name exceeds 100 chars')
export const ambiguousForm = () =>
  refused(400, 'ambiguous', 'Unable to submit because there are multiple forms with this formID.')
export const notEncrypted = () =>
  refused(400, 'not_encrypted', 'Unencrypted submissions are not allowed for encrypted forms.')
export const badlyEncrypted = () => refused(400, 'badly_encrypted', 'Encrypted submission incorrectly formatted.')
export const encryptedRecord = () =>
  refused(400, 'encrypted', 'The record is encrypted. Its answers can be changed only where its key is.')
export const unreadableUpload = () =>
  refused(400, 'unreadable', 'Unable to read submitted file, please try re-submitting.')
export const corruptUpload = () =>
  refused(400, 'corrupt', 'File likely corrupted during transmission, please try later.')
export const unknownForm = () =>
  new AppError({
    code: 'submission.unknown_form',
    status: 404,
    message: 'Form does not exist on this account',
    isForOthers: true,
  })
export const inactiveForm = () => refused(405, 'inactive', 'Form is inactive')
/** For people who change records; devices are told in the words of their protocol. */
export const formInactive = () => badRequest('Form is inactive', 'data.form_inactive')
export const staleEdit = () => refused(409, 'stale', 'Submission has been modified since it was last fetched.')

interface Named {
  readonly owner: string
  readonly title: string
}

export const maySubmitNot = (username: string, form: Named) =>
  refused(403, 'forbidden', `${username} is not allowed to make submissions to ${form.owner}'s ${form.title} form.`)

export const mayEditNot = (username: string, form: Named) =>
  refused(
    403,
    'edit_forbidden',
    `${username} is not allowed to make edit submissions to ${form.owner}'s ${form.title} form.`,
  )

export const keyMayEditNot = () =>
  refused(403, 'edit_forbidden', 'This phone is not allowed to change this record. Show this to your supervisor.')

export const filesOfOthers = () =>
  refused(403, 'files_of_others', 'The record was sent by somebody else, and still waits for files of theirs.')
