// An account whose address nobody has verified here may have been made by anybody. A provider's word for the address does
// not open it; the provider's word and the account's password together show that both are one person, once and for all.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { acceptInvitations } from '../invitations/index.js'
import { type Profile, updateProfile } from '../profiles/index.js'
import { dropCookie, keepCookie, readCookie } from './cookies.js'
import { findPerson } from './people.queries.js'

const lifetimeSeconds = 600

interface Link {
  userId: number
  emailKey: string
  expiresAt: number
}

export const rememberVouched = (
  { secrets, clock }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  person: Profile,
): void => {
  const link: Link = {
    userId: person.id,
    emailKey: person.emailKey ?? '',
    expiresAt: clock.now().getTime() + lifetimeSeconds * 1000,
  }
  const sealed = secrets.seal('outside-link', '', JSON.stringify(link)).toString('base64url')
  keepCookie(request, reply, 'link', sealed, lifetimeSeconds)
}

const linkOf = ({ secrets, clock }: Deps, request: FastifyRequest): Link | undefined => {
  const cookie = readCookie(request, 'link')
  const text = cookie && secrets.open('outside-link', '', Buffer.from(cookie, 'base64url'))
  const link: Link | undefined = text ? JSON.parse(text) : undefined
  return link !== undefined && link.expiresAt > clock.now().getTime() ? link : undefined
}

export const waitsForPassword = (deps: Deps, request: FastifyRequest): boolean => linkOf(deps, request) !== undefined

/** After a sign-in with the password: the address counts as verified if it is still the one that was vouched for. */
export const confirmAddress = async (deps: Deps, request: FastifyRequest, reply: FastifyReply, userId: number) => {
  const link = linkOf(deps, request)
  if (link === undefined) return
  dropCookie(request, reply, 'link')
  if (link.userId !== userId) return
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const person = await findPerson(tx, userId)
    if (person?.emailKey !== link.emailKey) return
    await updateProfile(tx, userId, { isEmailVerified: true }, now)
    await acceptInvitations(tx, { userId, emailKey: link.emailKey, now })
  })
}
