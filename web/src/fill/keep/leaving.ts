// Coming and going on other pages than those below /f/. Whoever signs in is remembered for times without a line. Of whoever signs
// out, forms that were kept for them go; what they typed and did not send stays for them, and for nobody else.
import { database } from './database'
import { countUnsent } from './filled'
import { forgetFiles } from './forms'
import { tellChanged } from './news'
import { type Account, rememberPerson, whoseOf } from './person'

/** Null: nobody is signed in. */
export const rememberAccount = async (account: Account | null): Promise<void> => {
  if (account === null) await rememberPerson()
  else await rememberPerson({ whose: await whoseOf(account), username: account.username })
}

/** How many of their filled forms have not been sent. 0 where nothing is kept. */
export const unsentOf = async (account: Account): Promise<number> => countUnsent(await whoseOf(account)).catch(() => 0)

/** Forms that a draft was begun with stay with it. */
export const forgetPerson = async (account: Account): Promise<void> => {
  await rememberPerson()
  try {
    const left = await whoseOf(account)
    const db = await database()
    const needed = new Set(
      (await db.getAll('filled')).filter(({ state }) => state !== 'sent').map(({ formKey }) => formKey),
    )
    for (const { id, whose } of await db.getAll('forms')) {
      if (whose === left && !needed.has(id)) await db.delete('forms', id)
    }
    await forgetFiles(db, Number.POSITIVE_INFINITY)
    tellChanged()
  } catch {
    // Nothing was kept.
  }
}
