// A form that goes to another project, and with it perhaps to another account.
import { type Db, orConflict } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { type Caller, forbidden, notFound } from '../../../platform/http/index.js'
import { lockProject, removeFormRoles, setFormRoles } from '../../permissions/index.js'
import { type FoundProject, mayOwn, touchProject, visibleProject } from '../../projects/index.js'
import { type FoundForm, lockForm, setFormPlace, visibleDefinition } from '../form/index.js'
import { mayNotAdd, notManager, notOwner, sameId } from './changing.errors.js'

const mostTries = 20

/** Locks projects before forms, and projects in the order of their ids: so two moves in opposite directions do not block
 * each other for ever. What the caller may do is asked again under the locks. */
export const underProjectAndFormLock = async <T>(
  db: Db,
  caller: Caller,
  formId: number,
  work: (tx: Db, form: FoundForm) => Promise<T>,
  target?: FoundProject,
): Promise<T> => {
  for (let tries = 1; tries <= mostTries; tries++) {
    const { projectId } = await visibleDefinition(db, caller, String(formId))
    const projectIds = [...new Set([projectId, target?.id ?? projectId])].sort((a, b) => a - b)
    const outcome = await db.transaction(async (tx) => {
      for (const id of projectIds) await lockProject(tx, id)
      if (!(await lockForm(tx, formId))) throw notFound()
      const form = await visibleDefinition(tx, caller, String(formId))
      // Somebody moved it before the locks were taken: other projects are locked than it needs.
      return projectIds.includes(form.projectId) ? { value: await work(tx, form) } : undefined
    })
    if (outcome !== undefined) return outcome.value
  }
  throw new Error(`The form ${formId} was moved ${mostTries} times while it was waited for`)
}

/** Within its account, a form is moved by those who manage both the form and the project. Into another account, by owners
 * of the form who may make projects there: all of its records go along, and the former account loses them. */
export const refuseMove = async (db: Db, caller: Caller, form: FoundForm, project: FoundProject): Promise<void> => {
  if (!form.access.may('manage')) throw notManager(caller.username, form.title)
  const isLeaving = project.ownerId !== form.ownerId
  if (isLeaving && !form.access.may('transfer')) throw notOwner(caller.username, form.title)
  if (!project.access.may('manage')) throw forbidden()
  if (isLeaving && !(await mayOwn(db, caller.id, project.ownerId))) throw mayNotAdd(caller.username, project.owner)
}

/** `change` happens with the move or not at all; when it answers false, nothing is moved. */
export const moveForm = async (
  { db, clock }: Deps,
  caller: Caller,
  formId: number,
  target: FoundProject,
  change: (tx: Db, form: FoundForm) => Promise<boolean> = async () => true,
): Promise<boolean> => {
  const work = underProjectAndFormLock(
    db,
    caller,
    formId,
    async (tx, form) => {
      const project = await visibleProject(tx, caller, String(target.id))
      await refuseMove(tx, caller, form, project)
      if (!(await change(tx, form))) return false
      if (form.projectId !== project.id) await moveInto(tx, caller, form, project, clock.now())
      return true
    },
    target,
  )
  return orConflict(work, { forms__owner_id_id_key: sameId })
}

/** Shares of the form end, and the roles of the new project apply. Whoever owned the form still does. Whoever did not is
 * not made its owner: otherwise moving it twice would take it from its owners. */
const moveInto = async (tx: Db, caller: Caller, form: FoundForm, project: FoundProject, now: Date): Promise<void> => {
  await setFormPlace(tx, form.id, { projectId: project.id, ownerId: project.ownerId }, now)
  const isOwner = form.access.may('transfer')
  await removeFormRoles(tx, form.id, isOwner ? 'all' : 'all but owners')
  if (isOwner && project.ownerId !== caller.id) await setFormRoles(tx, form.id, [caller.id], 'owner', now)
  await touchProject(tx, form.projectId, now)
  await touchProject(tx, project.id, now)
}

/** Refused before anything is locked. */
export const assignForm = async (deps: Deps, caller: Caller, formId: string, target: FoundProject): Promise<void> => {
  const form = await visibleDefinition(deps.db, caller, formId)
  await refuseMove(deps.db, caller, form, target)
  await moveForm(deps, caller, form.id, target)
}
