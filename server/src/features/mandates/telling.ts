// Telling owners: an event for each form or project and person, and one mail to each owner for all that was found at once.
import { budgets } from '../../budgets.js'
import type { Db } from '../../platform/db/index.js'
import { enqueueMail } from '../../platform/mail-queue/index.js'
import { countAttempt } from '../credentials/index.js'
import { recordMessage } from '../messaging/index.js'
import type { Lapsed } from '../permissions/index.js'
import { getTarget, type Owner } from './mandates.queries.js'
import { eventText, type Loss, mailSubject, mailText } from './words.js'

const secondsOfDay = 86_400

const togetherBy = ({ target, actor, right }: Lapsed): string =>
  JSON.stringify([target.type, target.id, actor?.username, right])

const mailTo = async (tx: Db, owner: Owner, losses: readonly Loss[], now: Date): Promise<void> => {
  const key = { kind: 'mandate_mail', account: `user:${owner.userId}`, address: '' }
  const { count } = await countAttempt(tx, key, now, secondsOfDay)
  if (count > budgets.mandates.mailsPerDay) return
  await enqueueMail(tx, { to: owner.email, subject: mailSubject(losses), text: mailText(losses) })
}

/** In the transaction that stops the things. */
export const tellOwners = async (tx: Db, lapsed: readonly Lapsed[], now: Date): Promise<void> => {
  const together = new Map<string, [Lapsed, ...Lapsed[]]>()
  for (const thing of lapsed) {
    const known = together.get(togetherBy(thing))
    if (known === undefined) together.set(togetherBy(thing), [thing])
    else known.push(thing)
  }
  const mails = new Map<number, { owner: Owner; losses: Loss[] }>()
  for (const things of together.values()) {
    const { target } = things[0]
    const { name, owners } = await getTarget(tx, target)
    const loss = { target, name, things }
    await recordMessage(tx, { target, message: eventText(loss), userId: null, now })
    for (const owner of owners) {
      const { losses } = mails.get(owner.userId) ?? { losses: [] }
      mails.set(owner.userId, { owner, losses: [...losses, loss] })
    }
  }
  for (const { owner, losses } of mails.values()) await mailTo(tx, owner, losses, now)
}
