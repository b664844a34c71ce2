// How a profile looks on the wire, to whom.
import type { Static } from '../../platform/schema/index.js'
import type { Secrets } from '../../platform/secrets/index.js'
import type { Profile } from './profiles.queries.js'
import type { ProfileView } from './profiles.schemas.js'

export interface ViewContext {
  /** Scheme and host of absolute addresses. */
  origin: string
  secrets: Secrets
}

/** From a keyed hash of the address, so that the address cannot be guessed from it. */
export const avatarAddress = (
  { origin, secrets }: ViewContext,
  account: Pick<Profile, 'emailKey' | 'username'>,
): string => `${origin}/avatar/${secrets.hash('avatar', account.emailKey ?? account.username).slice(0, 32)}`

export const profileAddress = (origin: string, username: string) =>
  `${origin}/api/v1/profiles/${encodeURIComponent(username)}`

export const userAddress = (origin: string, username: string) =>
  `${origin}/api/v1/users/${encodeURIComponent(username)}`

export const fullName = ({ firstName, lastName }: Pick<Profile, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`.trim()

/** What anybody may see. */
export const publicView = (context: ViewContext, profile: Profile): Static<typeof ProfileView> => ({
  id: profile.id,
  is_org: profile.isOrg,
  url: profileAddress(context.origin, profile.username),
  username: profile.username,
  first_name: profile.firstName,
  last_name: profile.lastName,
  name: fullName(profile),
  city: profile.city,
  country: profile.country,
  organization: profile.organization,
  website: profile.website,
  social: profile.social,
  avatar: avatarAddress(context, profile),
  require_auth: profile.requireAuth,
  user: userAddress(context.origin, profile.username),
  joined_on: profile.joinedAt.toISOString(),
})

/** What the account itself sees. */
export const ownView = (context: ViewContext, profile: Profile): Static<typeof ProfileView> => ({
  ...publicView(context, profile),
  email: profile.email ?? '',
  metadata: profile.metadata,
  is_email_verified: profile.isEmailVerified,
})

export const viewFor = (callerId: number, context: ViewContext, profile: Profile) =>
  profile.id === callerId ? ownView(context, profile) : publicView(context, profile)
