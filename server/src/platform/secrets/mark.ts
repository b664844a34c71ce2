// Whether the secret in force is the one that this database was filled with: a word that everybody knows lies in it, sealed.
import type { Db } from '../db/index.js'
import { areMarksKnown, findMark, insertMark, replaceMark } from './mark.queries.js'
import type { Secrets } from './secrets.js'

const purpose = 'mark'
const word = 'sheaf'

const sealedWord = (secrets: Secrets): Buffer => secrets.seal(purpose, '', word)

/** Undefined: nobody has left a mark yet. */
export const isSecretOf = async (db: Db, secrets: Secrets): Promise<boolean | undefined> => {
  const sealed = await findMark(db)
  return sealed === undefined ? undefined : secrets.open(purpose, '', sealed) === word
}

/** Whether a server has run here; also for a database that was never migrated. */
export const isMarked = async (db: Db): Promise<boolean> =>
  (await areMarksKnown(db)) && (await findMark(db)) !== undefined

/** Unless somebody was first. */
export const leaveMark = (db: Db, secrets: Secrets) => insertMark(db, sealedWord(secrets))

/** From now on this secret is the database's, whatever was sealed by another one. */
export const acceptSecret = (db: Db, secrets: Secrets) => replaceMark(db, sealedWord(secrets))
