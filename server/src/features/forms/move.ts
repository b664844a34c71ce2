// A form that goes to another project, and with it perhaps to another account.
import { type Db, orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden } from '../../platform/http/index.js'
import { removeFormRoles, setFormRoles } from '../permissions/index.js'
import { type FoundProject, underProjectLock } from '../projects/index.js'
import { notManager, sameId } from './forms.errors.js'
import { lockForm, moveForm, touchProject } from './forms.queries.js'
import { type FoundForm, visibleForm } from './forms.service.js'

const unlessTaken = <T>(work: Promise<T>): Promise<T> => orConflict(work, { forms__owner_id_id_key: sameId })

/** Shares of the form stay behind, the roles of the new project apply, and whoever moved it owns it. */
const move = async (tx: Db, caller: Caller, form: FoundForm, project: FoundProject, now: Date): Promise<void> => {
  await moveForm(tx, form.id, { projectId: project.id, ownerId: project.ownerId }, now)
  await removeFormRoles(tx, form.id)
  if (project.ownerId !== caller.id) await setFormRoles(tx, form.id, [caller.id], 'owner', now)
  await touchProject(tx, form.projectId, now)
  await touchProject(tx, project.id, now)
}

export const assignForm = async (deps: Deps, caller: Caller, formId: string, project: FoundProject): Promise<void> => {
  const { db, clock } = deps
  const form = await visibleForm(db, caller, formId)
  if (!form.access.may('manage')) throw notManager(caller.username, form.title)
  await unlessTaken(
    underProjectLock(db, caller, project.id, async (tx, present) => {
      if (!present.access.may('manage')) throw forbidden()
      await lockForm(tx, form.id)
      const again = await visibleForm(tx, caller, formId)
      if (!again.access.may('manage')) throw notManager(caller.username, form.title)
      await move(tx, caller, again, present, clock.now())
    }),
  )
}
