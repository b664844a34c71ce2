// Signing out. Forms that were kept for a person go; what they typed and did not send stays for them, and for nobody else.
import { database } from './database'
import { countUnsent } from './filled'
import { forgetFiles } from './forms'
import { tellChanged } from './news'
import { rememberPerson } from './person'

/** How many of their filled forms have not been sent. 0 where nothing is kept. */
export const unsentOf = (username: string): Promise<number> => countUnsent(username).catch(() => 0)

/** Forms that a draft was begun with stay with it. */
export const forgetPerson = async (username: string): Promise<void> => {
  rememberPerson('')
  try {
    const db = await database()
    const needed = new Set(
      (await db.getAll('filled')).filter(({ state }) => state !== 'sent').map(({ formKey }) => formKey),
    )
    for (const { id, whose } of await db.getAll('forms')) {
      if (whose === username && !needed.has(id)) await db.delete('forms', id)
    }
    await forgetFiles(db, Number.POSITIVE_INFINITY)
    tellChanged()
  } catch {
    // Nothing was kept.
  }
}
