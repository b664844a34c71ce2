import { formatProblem, type Problem } from '@sheaf/xlsform/form'
import { budgets } from '../../budgets.js'
import { AppError, badRequest, forbidden } from '../../platform/http/index.js'

export const badFormId = () => badRequest('Invalid form ID. It must be a positive integer')

/** In the text for people, and in the list for programs: a sheet of 100,000 rows can be wrong in every one. */
const mostShown = 50
const mostListed = 1000

/** Clients show `text`; `problems` has each mistake with its sheet, row and column for programs. */
export const formRefused = (text: string, problems: readonly Problem[] = []) =>
  new AppError({
    code: 'form.refused',
    status: 400,
    message: text,
    body: { type: 'alert-error', text, ...(problems.length > 0 && { problems }) },
  })

export const mistakes = (problems: readonly Problem[]) => {
  const shown = problems.slice(0, mostShown).map(formatProblem)
  const more = problems.length - shown.length
  return formRefused([...shown, ...(more > 0 ? [`… and ${more} more.`] : [])].join('\n'), problems.slice(0, mostListed))
}

export const tooLong = (characters: number) =>
  formRefused(
    `The form is too long: its questions and choices take ${characters} characters, at most ${budgets.forms.modelCharacters} are taken. Put long lists into a CSV file of the form (select_one_from_file), or split the form.`,
  )

const tooMany = (what: string, most: number) =>
  formRefused(
    `The form has more than ${most} ${what}, those of all its versions together: each of them stays in its tables. Publish this version as a new form, with a form_id of its own, or split the form.`,
  )

export const tooManyQuestions = () => tooMany('questions', budgets.forms.questions)
export const tooManyRepeats = () => tooMany('repeats', budgets.forms.repeats)

export const noSource = () =>
  formRefused(
    "XLSForm not provided, expecting either of these params: 'xml_file', 'xls_file', 'xls_url', 'csv_url', 'remote_xls_url', 'text_xls_form', 'flow_results_file'",
  )

export const notFetched = (url: string, reason: string) =>
  formRefused(`The form could not be fetched from '${url.slice(0, 200)}'. ${reason}`)

export const otherId = (given: string, present: string) =>
  formRefused(`Your updated form's id_string '${given}' must match the existing forms' id_string '${present}'.`)

export const unknownOwner = (username: string) =>
  new AppError({
    code: 'form.unknown_owner',
    status: 400,
    message: `User with username ${username} does not exist.`,
    body: { message: `User with username ${username} does not exist.` },
  })

export const mayNotAdd = (caller: string, owner: string) =>
  forbidden(`User ${caller} has no permission to add xforms to account ${owner}`)

export const notManager = (caller: string, title: string) =>
  forbidden(`${caller} has no manager/owner role to the form ${title}`)

/** Managers move a form within its account; giving it away is for its owners. */
export const notOwner = (caller: string, title: string) =>
  forbidden(`${caller} has no owner role to the form ${title}, which giving it to another account needs`)

export const sameId = () => badRequest('Form with the same id_string already exists in this account', 'form.id_taken')

export const encryptedForm = () =>
  new AppError({
    code: 'form.encrypted',
    status: 400,
    message: 'This form is encrypted and cannot be replaced.',
    body: { message: 'This form is encrypted and cannot be replaced.' },
  })

export const encryptsRecords = () =>
  formRefused('Cannot encrypt a form that has submissions. Take public_key out of the settings, or publish a new form.')

/** A word to whoever publishes, perhaps the same file a second time. It names no form that they may not see. */
export const idWasTaken = (wanted: string, made: string): string =>
  `The account has a form with the id "${wanted}" already, so this is a new form with the id "${made}". To make it the next version of the other one instead, delete this one and send the file to the other with PATCH /api/v1/forms/{formid}.`
