import { formatProblem, type Problem } from '@sheaf/xlsform/form'
import { budgets } from '../../../budgets.js'
import { AppError } from '../../../platform/http/index.js'

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
