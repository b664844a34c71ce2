// A copy of a form in another account: its definition, nothing else.
import type { FormCompiler } from '@sheaf/xlsform/thread'
import type { Deps } from '../../platform/deps.js'
import { AppError, type Caller, forbidden, invalid } from '../../platform/http/index.js'
import { projectFor } from '../projects/index.js'
import { findActiveUser } from '../users/index.js'
import { type Draft, readDraft } from './definition.js'
import { findSource, findXml } from './form-versions.queries.js'
import type { FoundForm } from './forms.service.js'
import { type Published, publishForm } from './publish.js'
import { firstProjectOf } from './target.js'

export interface CloneRequest {
  readonly username: string
  readonly project_id?: number
}

const spreadsheet = /\.(xlsx|xlsm|xls|csv|md)$/i

export const cloneForm = async (
  deps: Deps,
  compiler: FormCompiler,
  caller: Caller,
  form: FoundForm,
  body: CloneRequest,
): Promise<Published> => {
  if (!form.access.may('manage') && !form.isPublic) throw forbidden()
  const user = await findActiveUser(deps.db, body.username)
  if (user === undefined) throw invalid({ username: [`User '${body.username}' does not exist.`] })
  const project =
    body.project_id === undefined
      ? await firstProjectOf(deps, caller, user.username)
      : await findProject(deps, caller, body.project_id)
  return publishForm(deps, compiler, caller, project, await draftOf(deps, compiler, form))
}

const findProject = async (deps: Deps, caller: Caller, id: number) => {
  try {
    return await projectFor(deps.db, caller, String(id), 'manage')
  } catch (error) {
    const isMissing = error instanceof AppError && error.status === 404
    throw isMissing ? invalid({ project: [`Project with id '${id}' does not exist.`] }) : error
  }
}

/** The spreadsheet again, so that the copy can be downloaded and changed too; else the XForm. Where the spreadsheet names
 * no id, the copy is named after the form. */
const draftOf = async ({ db, files }: Deps, compiler: FormCompiler, form: FoundForm): Promise<Draft> => {
  const source = await findSource(db, form.id, form.versionNumber)
  if (source !== undefined && spreadsheet.test(source.name)) {
    const { stream } = await files.get(source.key)
    const bytes = Buffer.concat(await stream.toArray())
    const ending = source.name.slice(source.name.lastIndexOf('.'))
    return readDraft(compiler, { kind: 'spreadsheet', name: `${form.idString}_cloned${ending}`, bytes })
  }
  const found = await findXml(db, form.id, form.versionNumber)
  return readDraft(compiler, { kind: 'xform', name: `${form.idString}.xml`, bytes: Buffer.from(found?.xml ?? '') })
}
