// Mails that are sent later: the request commits, the mail follows, and a mail server that is down fails no request.
import { randomUUID } from 'node:crypto'
import type { Db } from '../db/index.js'
import { defineJob, enqueue, type JobHandlers } from '../jobs/index.js'
import type { Mail } from '../mail/index.js'

/** Only for mails without a secret: the text waits in the database. A mail with a key is built by its own job. */
export interface QueuedMail {
  to: string
  subject: string
  text: string
}

/** Ten tries back off over about three hours. */
const sendMail = defineJob<QueuedMail & { messageId: string }>('mail.send', { maxAttempts: 10, kind: 'mail' })

/** The message id is the same on every try, so that a receiver can drop a mail that arrived twice. */
export const enqueueMail = (db: Db, mail: QueuedMail, options: { runAt?: Date } = {}) =>
  enqueue(db, sendMail, { ...mail, messageId: `<${randomUUID()}@sheaf>` }, options)

export const handleMails = (jobs: JobHandlers, mail: Mail): void => jobs.handle(sendMail, (one) => mail.send(one))
