// A form that comes from another server, as Briefcase pushes it: published under its own id, or as another version of the form
// that has the id. Pushed again it is what it was.

import { brokenConstraint, type Db } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import type { Caller } from '../../../platform/http/index.js'
import { targetOf } from '../changing/index.js'
import { type Compilers, type Draft, finalize, readDraft, type Source } from '../compiling/index.js'
import {
  type FoundForm,
  listFormsByIdString,
  type SubmissionScope,
  underFormLock,
  visibleDefinition,
  withAccess,
} from '../form/index.js'
import { findXml, listVersions } from '../versions/index.js'
import { publishForm, type StoreAlong } from './publish.js'
import { idWasTaken, otherDefinition } from './publishing.errors.js'
import { refuseReplacement, replaceForm } from './replace.js'

export interface Pushed {
  readonly formId: number
  readonly outcome: 'published' | 'replaced' | 'known' | 'former'
  /** What the sender should know. */
  readonly warning?: string
}

/** Pushing to nobody's address is pushing to one's own. */
const accountIn = (scope: SubmissionScope, caller: Caller): SubmissionScope =>
  scope.kind === 'caller' ? { kind: 'account', username: caller.username } : scope

const fieldsOf = (scope: SubmissionScope): Readonly<Record<string, unknown>> => {
  if (scope.kind === 'project') return { project: scope.projectId }
  return scope.kind === 'account' ? { owner: scope.username } : {}
}

const present = async (
  db: Db,
  caller: Caller,
  scope: SubmissionScope,
  draft: Draft,
): Promise<FoundForm | undefined> => {
  if (scope.kind === 'form') return visibleDefinition(db, caller, String(scope.formId))
  const forms = await listFormsByIdString(db, caller.id, scope, draft.idString)
  return forms.map(withAccess).find(({ access, isPublic }) => access.may('view') || isPublic)
}

/** `former`: a version that has been replaced since, as it was. */
type Standing = 'same' | 'former' | 'other' | 'new'

/** Of the version that it names among those that the form has; without one, of the present one. */
const standingOf = async (
  deps: Deps,
  compilers: Compilers,
  caller: Caller,
  { form, draft }: { readonly form: FoundForm; readonly draft: Draft },
): Promise<Standing> => {
  if (draft.idString !== form.idString) return 'new'
  const version = draft.version ?? form.version
  const known = (await listVersions(deps.db, form.id)).find((one) => one.version === version)
  if (known === undefined) return 'new'
  const { idString: id, uuid } = form
  const { hash } = await finalize(compilers.forAccount(caller), draft.xml, { id, version, uuid })
  const stored = await findXml(deps.db, form.id, known.number)
  if (stored?.hash === hash) return known.number === form.versionNumber ? 'same' : 'former'
  return draft.version === null ? 'new' : 'other'
}

/** The same form came twice at once, as when an answer was lost on the way, here or on another node. */
class Overtaken extends Error {}

/** So many other versions of a form may come while one is pushed. */
const mostTries = 100

/** Somebody else added a file of the same name in the same moment. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Overtaken || brokenConstraint(error) === 'metadata__unique'

export interface Pushing {
  readonly scope: SubmissionScope
  readonly source: Source
  /** The files that go with the form: with its present version only. */
  readonly along?: StoreAlong | undefined
}

export const pushForm = async (
  deps: Deps,
  compilers: Compilers,
  caller: Caller,
  { scope, source, along }: Pushing,
): Promise<Pushed> => {
  const draft = await readDraft(compilers.forAccount(caller), source)
  const whole = { scope: accountIn(scope, caller), source, along, draft }
  for (let tries = 1; ; tries++) {
    try {
      return await push(deps, compilers, caller, whole)
    } catch (error) {
      if (!isOvertaken(error) || tries === mostTries) throw error
    }
  }
}

/** Files of the version that is there, while it is. */
const storeBeside = (deps: Deps, caller: Caller, form: FoundForm, along: StoreAlong): Promise<void> =>
  underFormLock(deps.db, caller, form.id, async (tx, present) => {
    if (!present.access.may('manage')) refuseReplacement(caller, present)
    if (present.versionNumber !== form.versionNumber) throw new Overtaken()
    await along(tx, form.id)
  })

const push = async (
  deps: Deps,
  compilers: Compilers,
  caller: Caller,
  { scope, source, along, draft }: Pushing & { readonly draft: Draft },
): Promise<Pushed> => {
  const compiler = compilers.forAccount(caller)
  const form = await present(deps.db, caller, scope, draft)
  if (form === undefined) {
    const project = await (await targetOf(deps, caller, fieldsOf(scope)))()
    const beforeNumbering = async () => {
      if ((await present(deps.db, caller, scope, draft)) !== undefined) throw new Overtaken()
    }
    const published = await publishForm(deps, compiler, caller, project, draft, { beforeNumbering, along })
    const { formId, idString, isIdChanged } = published
    return { formId, outcome: 'published', ...(isIdChanged && { warning: idWasTaken(draft.idString, idString) }) }
  }
  if (!form.access.may('manage')) refuseReplacement(caller, form)
  const standing = await standingOf(deps, compilers, caller, { form, draft })
  if (standing === 'other') throw otherDefinition(draft.version ?? '')
  if (standing === 'former') return { formId: form.id, outcome: 'former' }
  if (standing === 'same') {
    if (along !== undefined) await storeBeside(deps, caller, form, along)
    return { formId: form.id, outcome: 'known' }
  }
  refuseReplacement(caller, form)
  await replaceForm(deps, compiler, caller, form, source, { overtaken: () => new Overtaken(), along })
  return { formId: form.id, outcome: 'replaced' }
}
