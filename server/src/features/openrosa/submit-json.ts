// A JSON submission: the form first, because the XML that is kept bears its names.
import type { Deps } from '../../platform/deps.js'
import type { Caller } from '../../platform/http/index.js'
import { formModels, type SubmissionScope } from '../forms/index.js'
import { readArrival, type Submissions, type Submitted } from '../submissions/index.js'
import { xmlOfJson } from './json-instance.js'

const scope: SubmissionScope = { kind: 'caller' }

export const submitJson = async (
  deps: Deps,
  submissions: Submissions,
  caller: Caller,
  id: string,
  submission: Record<string, unknown>,
): Promise<Submitted> => {
  const form = await submissions.formById(caller, scope, id)
  const { fields } = await formModels(deps.db).get(deps.db, form.id, form.versionNumber)
  const place = { idString: form.idString, rootName: fields.rootName, version: form.version }
  const arrival = readArrival(xmlOfJson(submission, place))
  return submissions.submitArrival(caller, form, arrival, [])
}
