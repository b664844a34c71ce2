// E-mail verification: a key of 40 hexadecimal characters goes out by mail and comes back once.
import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/index.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { withParameters } from '../../platform/http/index.js'
import { defineJob, enqueue } from '../../platform/jobs/index.js'
import { publicOrigin } from '../../platform/settings.js'
import { limitMails } from '../credentials/index.js'
import { acceptInvitations } from '../invitations/index.js'
import { pagesOfMails } from '../users/index.js'
import { badVerificationKey } from './profiles.errors.js'
import { updateProfile } from './profiles.queries.js'
import { profileSettings } from './profiles.settings.js'
import {
  findVerification,
  findVerificationMail,
  replaceVerification,
  takeVerification,
} from './verification.queries.js'

/** Where a call arrived. */
export interface Arrival {
  /** The name that the caller used. */
  readonly host: string
  readonly port: number | undefined
}

export const arrivalOf = ({ hostname, server }: FastifyRequest): Arrival => {
  const address = server.server.address()
  return { host: hostname, port: typeof address === 'object' ? address?.port : undefined }
}

interface VerificationRequest {
  /** Where the mail will go. */
  email: string
  /** Nothing for the command line. */
  arrival: Arrival | undefined
  redirectUrl: string | undefined
  /** A key that was sent to the former address must not verify the new one. */
  isNewAddress?: boolean
}

const sendVerification = defineJob<{ userId: number; link: string; redirectUrl: string | null }>(
  'profile.send_verification',
  { maxAttempts: 10, kind: 'mail' },
)

const contextOf = (userId: number) => `verification:${userId}`

const oldestValid = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Date =>
  new Date(clock.now().getTime() - config.of(profileSettings).activationDays * 86_400_000)

/** Sees to a valid key and its mail. The address counts as unverified until the key comes back. */
export const requestVerification = async (
  db: Db,
  deps: Deps,
  userId: number,
  { email, arrival, redirectUrl, isNewAddress = false }: VerificationRequest,
): Promise<void> => {
  const { secrets, clock, config } = deps
  const { verifiedKeyText } = config.of(profileSettings)
  if (verifiedKeyText === undefined) return
  // It goes to an address that nobody has confirmed yet: it must not be flooded.
  const most = config.of(profileSettings).maxVerificationMails
  const limits = { mostToReceiver: most, mostOfKind: most }
  if (arrival !== undefined)
    await limitMails(db, deps, { kind: 'verification', senderId: userId, to: [email], ...limits })
  const existing = await findVerification(db, userId)
  // One that was sealed with another SECRET_KEY could never be sent again.
  const opens =
    existing?.sealed != null && secrets.open('verification', contextOf(userId), existing.sealed) !== undefined
  const isReusable = !isNewAddress && opens && existing.createdAt > oldestValid(deps)
  if (!isReusable) {
    const key = randomBytes(20).toString('hex')
    await replaceVerification(db, userId, {
      key: secrets.hash('verification', key),
      sealed: secrets.seal('verification', contextOf(userId), key),
      createdAt: clock.now(),
    })
  }
  await updateProfile(db, userId, { isEmailVerified: false }, clock.now())
  const link = verificationAddress(config, arrival)
  await enqueue(db, sendVerification, { userId, link, redirectUrl: redirectUrl ?? null })
}

/** VERIFICATION_URL may differ by the host that the caller used: a key of a fixed list, never an address by itself. */
const verificationAddress = (config: Config, arrival: Arrival | undefined): string => {
  const { verificationUrl } = config.of(profileSettings)
  return (
    verificationUrl.get(arrival?.host.toLowerCase() ?? '*') ??
    verificationUrl.get('*') ??
    `${publicOrigin(config, arrival?.port)}${pagesOfMails.verification}`
  )
}

/** Throws 400 for a key that is missing, unknown, used or too old. */
export const verifyEmail = async (deps: Deps, key: string | undefined, usedText: string) => {
  if (key === undefined || !/^[0-9a-f]{40}$/.test(key)) throw badVerificationKey()
  const now = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    const keyHash = deps.secrets.hash('verification', key)
    const verified = await takeVerification(tx, { keyHash, oldest: oldestValid(deps), usedText, now })
    if (verified === undefined) throw badVerificationKey()
    await acceptInvitations(tx, { userId: verified.userId, emailKey: verified.emailKey, now })
    return verified
  })
}

/** The key is opened only here: it never waits in the job's row. */
export const verificationJobs = ({ jobs, db, mail, secrets }: Deps): void =>
  jobs.handle(sendVerification, async ({ userId, link, redirectUrl }) => {
    const found = await findVerificationMail(db, userId)
    const key = found && secrets.open('verification', contextOf(userId), found.sealed)
    if (found === undefined || key === undefined) return
    const address = withParameters(link, {
      verification_key: key,
      ...(redirectUrl !== null && { redirect_url: redirectUrl }),
    })
    await mail.send({
      to: found.email,
      subject: 'Email Verification',
      text: `Hello ${found.username},

please confirm that this is your e-mail address by opening this link:

${address}

If you did not register, ignore this mail.
`,
    })
  })
