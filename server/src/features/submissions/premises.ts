// What the last submission of a sender was let in and read by. The next one is read by it too, before anybody is asked; the
// statement that stores it finds out whether all of it still holds, and stores nothing where it does not.
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../platform/http/index.js'
import type { FoundForm, SubmissionScope, SubmittingBy } from '../forms/index.js'
import type { FoundKey } from '../keys/index.js'
import { normalizeUsername } from '../users/index.js'
import type { Premise } from './premise.js'
import type { Arrival } from './submission.js'
import type { TargetScope } from './target.js'

/** How somebody signed in by a password: which account a name leads to, and who is locked out, may change. */
export interface SignedIn {
  readonly names: readonly string[]
  readonly address: string
}

/** Whoever submitted, to which form, and by what. */
export interface Precedent {
  readonly caller: Caller
  readonly key: FoundKey | null
  readonly form: FoundForm
  readonly premise: Premise
}

export interface Submitter {
  readonly caller: Caller
  readonly key: FoundKey | null
  readonly scope: TargetScope
  /** Undefined: not by a password. */
  readonly signedIn: SignedIn | undefined
}

type Named = Pick<Arrival, 'formUuid' | 'formId'>

/** Null: what is found there depends on more than the form. */
const scopeColumns = (scope: SubmissionScope, form: FoundForm) => {
  const may_by: SubmittingBy = form.requiresAuth || form.ownerRequiresAuth ? 'right' : 'anybody'
  const none = { scope_owner: null, scope_project: null, may_by }
  switch (scope.kind) {
    case 'account': {
      const owner = normalizeUsername(scope.username)
      // Otherwise it was found among what others share with the caller.
      return owner === form.owner ? { ...none, scope_owner: owner } : null
    }
    case 'project':
      return { ...none, scope_project: scope.projectId }
    case 'form':
      return { ...none, scope_owner: scope.username === undefined ? null : normalizeUsername(scope.username) }
    case 'caller':
      // Among what they may submit to.
      return { ...none, may_by: 'right' } as const
  }
}

const credentialColumns = ({ caller, key, signedIn }: Submitter) => {
  const { kind, hash } = caller.credential
  const none = { names: null, address: null, token_id: null, key_name: null, hash }
  if (key !== null) {
    // A link is counted exactly, and draws its form from elsewhere.
    return key.kind === 'device' && key.formId === null
      ? ({ ...none, kind: 'key', token_id: key.tokenId, key_name: key.name } as const)
      : null
  }
  if (kind === 'api') return { ...none, kind } as const
  return kind === 'password' && signedIn !== undefined ? ({ ...none, kind, ...signedIn } as const) : null
}

/** Undefined: not all of it can be asked for in the statement. */
const premiseOf = (submitter: Submitter, form: FoundForm): Premise | undefined => {
  const { caller, scope } = submitter
  const credential = credentialColumns(submitter)
  const byKey = { scope_owner: null, scope_project: null, may_by: null }
  const place = scope.kind === 'key' ? byKey : scopeColumns(scope, form)
  if (credential === null || place === null || form.publicKey !== '') return undefined
  return {
    ...credential,
    ...place,
    user_id: caller.id,
    username: caller.username,
    uuid: form.uuid,
    id_string: form.idString,
    form_owner: form.owner,
    version_number: form.versionNumber,
    public_key: form.publicKey,
  }
}

/** The form that is named is this one, whatever other forms there are: identifiers are nobody else's, and so is an id within an
 * account or a project. */
const namesForm = ({ formUuid, formId }: Named, form: FoundForm, scope: TargetScope): boolean =>
  formUuid === null
    ? scope.kind !== 'caller' && formId?.toLowerCase() === form.idString.toLowerCase()
    : formUuid === form.uuid

const mostRemembered = 5000
/** As long as a password that was verified is. */
const rememberedMs = 5 * 60 * 1000
/** A longer id is not remembered. */
const longestId = 250
/** Of what a sender signs in with, where they send from and where to. Whoever sends longer ones goes the ordinary way. */
const longestSender = 500

export class Precedents {
  readonly #known = new LRUCache<string, Precedent>({ max: mostRemembered, ttl: rememberedMs })
  readonly #senders = new LRUCache<string, true>({ max: mostRemembered, ttl: rememberedMs })

  /** Whether it is worth reading what they send before it is found out who they are. */
  has(sender: string): boolean {
    return this.#senders.has(sender)
  }

  /** Undefined: this submission is not like one before. */
  find(sender: string, arrival: Arrival): Precedent | undefined {
    if (arrival.deprecatedId !== null || arrival.isEncrypted) return undefined
    const found = this.#known.get(entryOf(sender, arrival))
    // Another version may have to be looked for.
    return found !== undefined && (arrival.version ?? found.form.version) === found.form.version ? found : undefined
  }

  remember(sender: string, named: Named, submitter: Submitter, form: FoundForm): void {
    const premise = premiseOf(submitter, form)
    const isShort = (named.formUuid ?? '').length <= longestId && (named.formId ?? '').length <= longestId
    if (premise === undefined || !isShort || sender.length > longestSender || !namesForm(named, form, submitter.scope))
      return
    const { caller, key } = submitter
    this.#known.set(entryOf(sender, named), { caller, key, form, premise })
    this.#senders.set(sender, true)
  }
}

/** Senders hold no line break. A copy: a text that was cut out of a submission keeps all of it in memory. */
const entryOf = (sender: string, { formUuid, formId }: Named): string =>
  Buffer.from(`${sender}\n${formUuid ?? ''}\n${formUuid === null ? formId : ''}`).toString('latin1')
