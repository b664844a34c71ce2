// A copy of a form in another account: its definition, nothing else.
import type { FormCompiler } from '@sheaf/xlsform/thread'
import type { Deps } from '../../../platform/deps.js'
import { readWhole } from '../../../platform/files/index.js'
import { type Caller, forbidden, invalid } from '../../../platform/http/index.js'
import { findVisibleProject } from '../../projects/index.js'
import { findActiveUser } from '../../users/index.js'
import { projectOfAccount, type Target } from '../changing/index.js'
import { type Draft, isSpreadsheet, largestFormBytes, readDraft } from '../compiling/index.js'
import type { FoundForm } from '../form/index.js'
import { findSource, findXml } from '../versions/index.js'
import { type Published, publishForm } from './publish.js'
import { refuseUnpublished } from './replace.js'

export interface CloneRequest {
  readonly username: string
  readonly project_id?: number
}

export const cloneForm = async (
  deps: Deps,
  compiler: FormCompiler,
  caller: Caller,
  form: FoundForm,
  body: CloneRequest,
): Promise<Published> => {
  if (!form.access.may('manage') && !form.isPublic) throw forbidden()
  // A copy would be open at once, with what was only meant to be tried.
  refuseUnpublished(form)
  const target =
    body.project_id === undefined
      ? await projectOfAccount(deps, caller, body.username)
      : await namedProject(deps, caller, body.username, body.project_id)
  if (target === undefined) throw invalid({ username: [`User '${body.username}' does not exist.`] })
  const draft = await draftOf(deps, compiler, form)
  return publishForm(deps, compiler, caller, await target(), draft)
}

/** A project of that account. One of another account counts as missing. */
const namedProject = async (deps: Deps, caller: Caller, username: string, id: number): Promise<Target | undefined> => {
  const user = await findActiveUser(deps.db, username)
  if (user === undefined) return undefined
  const project = await findVisibleProject(deps.db, caller, id)
  if (project !== undefined && !project.access.may('manage')) throw forbidden()
  if (project?.ownerId !== user.id) throw invalid({ project: [`Project with id '${id}' does not exist.`] })
  return async () => project
}

/** Made from the spreadsheet, so that the copy can be downloaded and changed too; where there is none, from the XForm. When
 * the spreadsheet names no id, the copy is named after the form. */
const draftOf = async ({ db, files }: Deps, compiler: FormCompiler, form: FoundForm): Promise<Draft> => {
  const source = await findSource(db, form.id, form.versionNumber)
  if (source !== undefined && isSpreadsheet(source.name)) {
    const bytes = await readWhole(await files.get(source.key), largestFormBytes)
    const ending = source.name.slice(source.name.lastIndexOf('.'))
    return readDraft(compiler, {
      kind: 'spreadsheet',
      name: `${form.idString.replace(/[/\\]/g, '_')}_cloned${ending}`,
      bytes,
    })
  }
  const version = await findXml(db, form.id, form.versionNumber)
  return readDraft(compiler, { kind: 'xform', name: `${form.idString}.xml`, bytes: Buffer.from(version?.xml ?? '') })
}
