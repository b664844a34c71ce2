// A key of any kind, made and ended in somebody else's transaction.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { addForms, deleteKeyRow, insertCount, insertKey, type NewKey, replaceKeyToken } from './keys.queries.js'
import { newToken, sealToken, tokenHash } from './tokens.js'

type KeyDeps = Pick<Deps, 'secrets' | 'clock'>

/** A new token in place of the old one, which dies with this transaction. */
export const giveToken = async (tx: Db, { secrets, clock }: KeyDeps, keyId: number): Promise<string> => {
  const token = newToken()
  const stored = { hash: tokenHash(secrets, token), sealed: sealToken(secrets, keyId, token) }
  await replaceKeyToken(tx, keyId, stored, clock.now())
  return token
}

export interface KeyOfForm {
  readonly kind: 'link' | 'draft'
  readonly form: { readonly id: number; readonly projectId: number }
  readonly name: string
  /** Whoever makes it: the key holds as long as they manage the form. */
  readonly by: number
  readonly expiresAt?: Date | null
  /** Of a link. */
  readonly mostRecords?: number | null
  readonly isSingle?: boolean
}

export interface MadeKey {
  readonly id: number
  readonly token: string
}

export const makeKey = async (tx: Db, deps: KeyDeps, key: NewKey, formIds: readonly number[]): Promise<MadeKey> => {
  const now = deps.clock.now()
  const id = await insertKey(tx, key, now)
  if (formIds.length > 0) await addForms(tx, id, formIds, now)
  if (key.kind === 'link') await insertCount(tx, id)
  return { id, token: await giveToken(tx, deps, id) }
}

/** For one form, in whichever project it will be. */
export const makeKeyOfForm = (tx: Db, deps: KeyDeps, key: KeyOfForm): Promise<MadeKey> => {
  const { kind, form, name, by, expiresAt = null, mostRecords = null, isSingle = false } = key
  const of = { kind, projectId: form.projectId, formId: form.id, name, hasAllForms: false, actsAs: null, by }
  return makeKey(tx, deps, { ...of, properties: {}, expiresAt, mostRecords, isSingle }, [])
}

/** It opens nothing from now on, and nobody sees it; whoever comes with its token is told so. */
export const endKey = (tx: Db, { clock }: KeyDeps, keyId: number): Promise<void> => deleteKeyRow(tx, keyId, clock.now())
