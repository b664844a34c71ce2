// Standard Webhooks (standardwebhooks.com): a receiver proves with its secret that a call is ours, new, and whole.
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The id is the same on every try, so that a receiver can drop what it has; the time is of this try. */
export const signatureHeaders = (secret: string, id: string, body: string, now: Date): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign(id, now, body),
})

/** A submission has one id at a service, however often it is sent; each of its edits has its own. */
export const messageId = (delivery: { serviceId: number; submissionId: number; revision: number }): string =>
  ['msg', delivery.serviceId, delivery.submissionId, ...(delivery.revision === 0 ? [] : [delivery.revision])].join('_')
