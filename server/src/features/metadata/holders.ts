// What metadata hangs on: a form, a project, or a single submission; and what the caller may do with it there.
import type { Db } from '../../platform/db/index.js'
import type { Caller } from '../../platform/http/index.js'
import { findVisibleDefinition, isPublicType, isSecretType, type Metadata } from '../forms/index.js'
import { findVisibleProject } from '../projects/index.js'
import { findRecord, sightOf, sightOfForm } from '../sight/index.js'

export interface Holder {
  readonly kind: 'form' | 'project' | 'submission'
  readonly formId?: number
  readonly projectId?: number
  readonly submissionId?: number
  readonly hasRole: boolean
  readonly mayChange: boolean
  readonly mayManage: boolean
}

const ofForm = async (db: Db, caller: Caller, formId: number): Promise<Holder | undefined> => {
  const form = await findVisibleDefinition(db, caller, formId)
  if (form === undefined) return undefined
  const { access } = form
  return {
    kind: 'form',
    formId,
    hasRole: access.may('view'),
    mayChange: access.may('change'),
    mayManage: access.may('manage'),
  }
}

const ofProject = async (db: Db, caller: Caller, projectId: number): Promise<Holder | undefined> => {
  const project = await findVisibleProject(db, caller, projectId)
  if (project === undefined) return undefined
  const { access } = project
  const mayManage = access.may('manage')
  return { kind: 'project', projectId, hasRole: access.may('view'), mayChange: mayManage, mayManage }
}

/** Without the form, it is looked for among those whose records the caller may see. */
const ofSubmission = async (
  db: Db,
  caller: Caller,
  submissionId: number,
  formId?: number,
): Promise<Holder | undefined> => {
  const sight = formId === undefined ? await sightOf(db, caller) : await sightOfForm(db, caller, formId)
  const record = await findRecord(db, sight, submissionId)
  if (record === undefined) return undefined
  return {
    kind: 'submission',
    formId: record.formId,
    submissionId,
    hasRole: sight.mayWith(record, 'view_data'),
    mayChange: sight.mayWith(record, 'change'),
    mayManage: sight.mayWith(record, 'manage'),
  }
}

export interface Named {
  readonly xform?: number | undefined
  readonly project?: number | undefined
  readonly instance?: number | undefined
}

/** Of several that are named, the narrowest. */
export const findHolder = async (
  db: Db,
  caller: Caller,
  { xform, project, instance }: Named,
): Promise<Holder | undefined> => {
  const ids = [xform, project, instance]
  if (ids.some((id) => id !== undefined && !(Number.isSafeInteger(id) && id > 0))) return undefined
  if (instance !== undefined) return ofSubmission(db, caller, instance)
  if (xform !== undefined) return ofForm(db, caller, xform)
  return project === undefined ? undefined : ofProject(db, caller, project)
}

export const holderOf = async (
  db: Db,
  caller: Caller,
  { formId, projectId, submissionId }: Metadata,
): Promise<Holder | undefined> => {
  if (submissionId !== null) return ofSubmission(db, caller, submissionId, formId ?? 0)
  if (formId !== null) return ofForm(db, caller, formId)
  return projectId === null ? undefined : ofProject(db, caller, projectId)
}

export const mayRead = (holder: Holder, dataType: string): boolean => {
  if (isPublicType(dataType)) return true
  return isSecretType(dataType) ? holder.mayChange : holder.hasRole
}
