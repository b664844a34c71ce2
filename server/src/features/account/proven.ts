import type { Db } from '../../platform/db/index.js'
import type { Caller } from '../../platform/http/index.js'
import { credentialReplaced, lockAccount } from '../credentials/index.js'
import { type Account, findAccount } from './account.queries.js'

/** Under the account's lock: nobody replaces the credential between the question and the answer. */
export const proven = <T>(db: Db, caller: Caller, work: (tx: Db, account: Account) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await lockAccount(tx, caller.id)
    const account = await findAccount(tx, caller)
    if (account === undefined) throw credentialReplaced()
    return work(tx, account)
  })
