// Changes of a form's attributes: its words, who sees it, where it belongs. All of them or none.
import type { FormCompiler } from '@sheaf/xlsform/thread'
import { zonedTime } from '../../../formats/moments/index.js'
import type { Db } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { type Caller, forbidden, invalid, notFound } from '../../../platform/http/index.js'
import type { Static } from '../../../platform/schema/index.js'
import { recordFormEvent } from '../../messaging/index.js'
import { type FoundProject, projectSettings } from '../../projects/index.js'
import { type FinalForm, finalize } from '../compiling/index.js'
import {
  definitionFor,
  type FormState,
  type FoundForm,
  listVersionCounts,
  type NextState,
  nextState,
  stateAt,
  submissionsOf,
  underFormLock,
  updateForm,
} from '../form/index.js'
import { findSource, findXml, insertVersion, nextVersion } from '../versions/index.js'
import type { PatchForm } from './changing.schemas.js'
import { moveForm, underProjectAndFormLock } from './move.js'
import { newHome } from './new-home.js'

type Changes = Static<typeof PatchForm>

/** What needs more than the right to edit. */
const managed = [
  'downloadable',
  'state',
  'closes_at',
  'public',
  'public_data',
  'require_auth',
  'public_key',
  'owner',
  'project',
] as const

const mayChange = (form: FoundForm, fields: Readonly<Record<string, unknown>>): boolean =>
  form.access.may(managed.some((name) => fields[name] !== undefined) ? 'manage' : 'change')

/** Asked before the values are looked at: whoever may not change anything learns nothing about them. */
export const refuseChange = (form: FoundForm, fields: Readonly<Record<string, unknown>>): void => {
  if (!mayChange(form, fields)) throw forbidden()
}

/** What a form has from its definition, or gives to everybody: nothing, before there is a version that was published. */
const openings = ['title', 'public_key', 'public', 'public_data'] as const
const isOpening = (form: FoundForm, changes: Changes, name: (typeof openings)[number]): boolean => {
  if (name === 'title') return changes.title !== undefined && changes.title !== form.title
  return Boolean(changes[name])
}
const unpublishedFault = 'The form has only a draft. Publish it first; its title and its key are those of the draft.'

const faultsOf = async (deps: Deps, form: FoundForm, changes: Changes): Promise<Record<string, string[]>> => {
  const { mayBePublic } = deps.config.of(projectSettings)
  const shut = (['public', 'public_data'] as const).filter((name) => changes[name] === true && !mayBePublic)
  const state = askedState(form, changes, deps.clock.now())
  const early = form.state === 'draft' ? openings.filter((name) => isOpening(form, changes, name)) : []
  return {
    ...(state !== undefined && 'faults' in state && state.faults),
    ...Object.fromEntries(shut.map((name) => [name, ['Public forms are currently disabled.']])),
    ...Object.fromEntries(early.map((name) => [name, [unpublishedFault]])),
    ...((await wouldEncryptRecords(deps.db, form, changes)) && {
      public_key: ['Cannot encrypt a form that has submissions'],
    }),
  }
}

const wouldEncryptRecords = async (db: Db, form: FoundForm, { public_key: key }: Changes): Promise<boolean> =>
  key !== undefined && key !== '' && key !== form.publicKey && (await hasSubmissions(db, form.id))

export const hasSubmissions = async (db: Db, formId: number): Promise<boolean> =>
  submissionsOf(await listVersionCounts(db, [formId])) > 0

/** So many may change the words of a form, or replace it, in the same moment. */
const mostTries = 100

export const changeForm = async (
  deps: Deps,
  compiler: FormCompiler,
  caller: Caller,
  form: FoundForm,
  changes: Changes,
): Promise<void> => {
  const home = await newHome(deps, caller, form, changes)
  const faults = { ...(await faultsOf(deps, form, changes)), ...home.faults }
  if (Object.keys(faults).length > 0) throw invalid(faults)
  const project = await home.open()
  // The XForm is rewritten before the transaction. When another version comes meanwhile, it is rewritten again.
  for (let tries = 1; tries <= mostTries; tries++) {
    const words = await rewriteWords(deps, compiler, caller, form.id, changes)
    if (await applyChanges(deps, caller, form, { changes, words, project })) return
  }
  throw new Error(`The form ${form.id} was replaced ${mostTries} times while it was being changed`)
}

interface Words {
  readonly final: FinalForm
  readonly title: string
  readonly version: string
  readonly source: { readonly key: string; readonly name: string } | undefined
  /** Of the definition that it was made from. */
  readonly formerNumber: number
}

/** The title and the key stand in the XForm too. What phones have under one version text must not change: they would delete the
 * form before they have the new one. So it is a new version; undefined when the XForm stays as it is. */
const rewriteWords = async (
  { db }: Deps,
  compiler: FormCompiler,
  caller: Caller,
  formId: number,
  changes: Changes,
): Promise<Words | undefined> => {
  const form = await definitionFor(db, caller, String(formId), 'change')
  const { title = form.title, public_key: publicKey = form.publicKey } = changes
  if (title === form.title && publicKey === form.publicKey) return undefined
  const present = await findXml(db, form.id, form.versionNumber)
  if (present === undefined) throw notFound()
  const words = { title, ...(publicKey !== form.publicKey && { publicKey }) }
  if ((await finalize(compiler, present.xml, words)).hash === present.hash) return undefined
  const version = await nextVersion(db, form.id, form.version)
  return {
    final: await finalize(compiler, present.xml, { ...words, version }),
    title,
    version,
    source: await findSource(db, form.id, form.versionNumber),
    formerNumber: form.versionNumber,
  }
}

interface Work {
  readonly changes: Changes
  readonly words: Words | undefined
  readonly project: FoundProject | undefined
}

/** False when the definition is no longer the one that was rewritten: nothing has changed then. */
const applyChanges = async (deps: Deps, caller: Caller, form: FoundForm, work: Work): Promise<boolean> => {
  const { changes, words, project } = work
  const now = deps.clock.now()
  const apply = async (tx: Db, present: FoundForm): Promise<boolean> => {
    refuseChange(present, changes)
    if (await wouldEncryptRecords(tx, present, changes)) {
      throw invalid({ public_key: ['Cannot encrypt a form that has submissions'] })
    }
    if (words !== undefined) {
      if (present.versionNumber !== words.formerNumber) return false
      const { final, formerNumber: _, ...version } = words
      await insertVersion(tx, { formId: form.id, ...version, ...final, createdBy: caller.id, now })
    }
    const state = askedState(present, changes, now)
    if (state !== undefined && 'faults' in state) throw invalid(state.faults)
    await updateForm(tx, form.id, { ...columnsOf(changes), state }, now)
    if (state !== undefined && stateAt(state, now) !== stateAt(present, now)) {
      await recordFormEvent(tx, { formId: form.id, verb: 'form_updated', ids: [form.id], userId: caller.id, now })
    }
    return true
  }
  if (project !== undefined) return moveForm(deps, caller, form.id, project, apply)
  // A row that is changed twice in one transaction has its references checked, the project's among them: it is locked first, as
  // moves do.
  const lock = words === undefined ? underFormLock : underProjectAndFormLock
  return lock(deps.db, caller, form.id, apply)
}

/** Undefined: nothing is said of it. */
const askedState = (form: FoundForm, changes: Changes, now: Date): NextState | undefined => {
  const { downloadable, closes_at: closesAt } = changes
  if (downloadable === undefined && changes.state === undefined && closesAt === undefined) return undefined
  return nextState(
    form,
    {
      downloadable,
      state: changes.state as FormState | undefined,
      closesAt: closesAt === undefined ? undefined : (zonedTime(closesAt ?? '') ?? null),
    },
    now,
  )
}

const columnsOf = (changes: Changes) => ({
  title: changes.title,
  description: changes.description,
  isPublic: changes.public,
  isDataPublic: changes.public_data,
  requiresAuth: changes.require_auth,
  publicKey: changes.public_key,
})
