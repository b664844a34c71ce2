// A JSON submission: the form first, because the XML that is kept bears its names.
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import type { Caller } from '../../platform/http/index.js'
import { formModels, type SubmissionScope } from '../forms/index.js'
import { readArrival, type Submissions, type Submitted } from '../submissions/index.js'
import { xmlOfJson } from './json-instance.js'
import { unknownQuestions } from './openrosa.errors.js'

const scope: SubmissionScope = { kind: 'caller' }

export interface JsonSubmission {
  readonly id: string
  readonly submission: Record<string, unknown>
  /** Keys that the form does not ask for are refused. */
  readonly isStrict: boolean
}

export interface JsonSubmitted extends Submitted {
  readonly warnings: readonly string[]
}

const { namedKeys } = budgets.jsonSubmissions

const named = (keys: readonly string[]): string => {
  const rest = keys.length - namedKeys
  return [...keys.slice(0, namedKeys), ...(rest > 0 ? [`… and ${rest} more`] : [])].join(', ')
}

export const submitJson = async (
  deps: Deps,
  submissions: Submissions,
  caller: Caller,
  { id, submission, isStrict }: JsonSubmission,
): Promise<JsonSubmitted> => {
  const form = await submissions.formById(caller, scope, id)
  const { fields } = await formModels(deps.db).get(deps.db, form.id, form.versionNumber)
  const { xml, unknown } = xmlOfJson(submission, { idString: form.idString, version: form.version, fields })
  if (isStrict && unknown.length > 0) throw unknownQuestions(named(unknown))
  const submitted = await submissions.submitArrival(caller, form, readArrival(xml), [])
  const warnings =
    unknown.length === 0 ? [] : [`The form asks for no such question(s): ${named(unknown)}. They are kept.`]
  return { ...submitted, warnings }
}
