// Changes of a form's attributes: its words, who sees it, where it belongs.

import { rewriteXForm } from '../../formats/xform/index.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden, invalid } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { projectFor, projectSettings } from '../projects/index.js'
import { hashOf } from './definition.js'
import { listVersionCounts } from './form-details.queries.js'
import { findXml, updateVersionXml } from './form-versions.queries.js'
import { publicDisabled } from './forms.errors.js'
import { updateForm } from './forms.queries.js'
import type { PatchForm } from './forms.schemas.js'
import { type FoundForm, underFormLock } from './forms.service.js'
import { submissionsOf } from './forms.views.js'
import { assignForm } from './move.js'
import { firstProjectOf, projectIdIn } from './target.js'

type Changes = Static<typeof PatchForm>

/** What needs more than the right to edit. */
const managed = ['downloadable', 'public', 'public_data', 'require_auth', 'public_key', 'owner', 'project'] as const

const checkAllowed = (form: FoundForm, changes: Changes): void => {
  const needsManager = managed.some((name) => changes[name] !== undefined)
  if (!form.access.may(needsManager ? 'manage' : 'change')) throw forbidden()
}

export const changeForm = async (deps: Deps, caller: Caller, form: FoundForm, changes: Changes): Promise<void> => {
  checkAllowed(form, changes)
  const { mayBePublic } = deps.config.of(projectSettings)
  for (const field of ['public', 'public_data'] as const) {
    if (changes[field] === true && !mayBePublic) throw publicDisabled(field)
  }
  const target = await targetOf(deps, caller, form, changes)
  await underFormLock(deps.db, caller, form.id, async (tx, present) => {
    checkAllowed(present, changes)
    const now = deps.clock.now()
    await changeXForm(tx, present, changes, now)
    await updateForm(
      tx,
      form.id,
      {
        title: changes.title,
        description: changes.description,
        isDownloadable: changes.downloadable,
        isPublic: changes.public,
        isDataPublic: changes.public_data,
        requiresAuth: changes.require_auth,
        publicKey: changes.public_key,
      },
      now,
    )
  })
  if (target !== undefined) await assignForm(deps, caller, String(form.id), target)
}

/** Where it is to go, if anywhere else than it is. */
const targetOf = async (deps: Deps, caller: Caller, form: FoundForm, { project, owner }: Changes) => {
  if (project !== undefined) {
    const id = projectIdIn(project)
    if (id === undefined) throw invalid({ project: ['Invalid hyperlink - No URL match.'] })
    return Number(id) === form.projectId ? undefined : projectFor(deps.db, caller, id, 'manage')
  }
  if (owner === undefined) return undefined
  const name = owner.includes('/') ? /\/api\/v1\/users\/([^/]+?)(?:\.json)?\/?$/.exec(owner)?.[1] : owner
  if (name === undefined) throw invalid({ owner: ['Invalid hyperlink - No URL match.'] })
  const username = decodeURIComponent(name)
  return username.toLowerCase() === form.owner ? undefined : firstProjectOf(deps, caller, username)
}

/** The title and the key stand in the XForm too: devices see that it changed by its hash. */
const changeXForm = async (tx: Db, form: FoundForm, changes: Changes, now: Date): Promise<void> => {
  const { title = form.title, public_key: publicKey = form.publicKey } = changes
  if (title === form.title && publicKey === form.publicKey) return
  if (publicKey !== form.publicKey && publicKey !== '') await refuseEncryptionOfData(tx, form)
  const present = await findXml(tx, form.id, form.versionNumber)
  if (present === undefined) return
  const xml = rewriteXForm(present.xml, { title, ...(publicKey !== form.publicKey && { publicKey }) })
  await updateVersionXml(tx, form.id, form.versionNumber, { xml, hash: hashOf(xml), title, now })
}

const refuseEncryptionOfData = async (tx: Db, form: FoundForm): Promise<void> => {
  if (submissionsOf(await listVersionCounts(tx, [form.id])) > 0) {
    throw invalid({ public_key: ['Cannot encrypt a form that has submissions'] })
  }
}
