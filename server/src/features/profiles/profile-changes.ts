// Changing a profile: PATCH and PUT.

import { orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { invalid } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { confirmPassword, deleteResets, lockAccount } from '../credentials/index.js'
import { updateUser } from '../users/index.js'
import { mergeMetadata, metadataFault } from './metadata.js'
import { isSameEmail, namesOf } from './names.js'
import { emailTaken, usernameTaken } from './profiles.errors.js'
import { lockMetadata, type Metadata, type Profile, updateProfile } from './profiles.queries.js'
import type { PatchBody } from './profiles.schemas.js'
import { profileSettings } from './profiles.settings.js'
import { type Arrival, requestVerification } from './verification.js'

type Change = Static<typeof PatchBody>

/** What is wrong with the password that an e-mail change needs, if anything. */
export const emailChangeFault = async (deps: Deps, profile: Profile, body: Change): Promise<string | undefined> => {
  if (body.email === undefined || isSameEmail(profile.email, body.email)) return undefined
  if (!body.password) return 'Your password is required when updating your email address.'
  const confirmation = await confirmPassword(deps, profile.id, body.password)
  if (confirmation.outcome === 'confirmed') return undefined
  return confirmation.outcome === 'wrong'
    ? 'Invalid password'
    : `Too many password attempts. Try again in ${confirmation.minutes} minutes`
}

export const changeProfile = async (deps: Deps, profile: Profile, body: Change, arrival: Arrival): Promise<void> => {
  const { db, clock, config } = deps
  const isNewEmail = body.email !== undefined && !isSameEmail(profile.email, body.email)
  const now = clock.now()
  const work = db.transaction(async (tx) => {
    await lockAccount(tx, profile.id)
    const metadata =
      body.metadata && resultingMetadata(await lockMetadata(tx, profile.id), body.metadata, body.overwrite)
    await updateUser(tx, profile.id, { ...namesOf(body), username: body.username, email: body.email })
    await updateProfile(
      tx,
      profile.id,
      { ...body, requireAuth: body.require_auth, metadata, ...(isNewEmail && { isEmailVerified: false }) },
      now,
    )
    if (!isNewEmail) return
    await deleteResets(tx, profile.id)
    if (config.of(profileSettings).isVerificationEnabled) {
      const email = body.email ?? ''
      await requestVerification(tx, deps, profile.id, { email, arrival, redirectUrl: undefined, isNewAddress: true })
    }
  })
  await orConflict(work, {
    users__username: () => usernameTaken(body.username ?? ''),
    users__email_key: emailTaken,
    sign_in_names__name: () => usernameTaken(body.username ?? ''),
  })
}

/** Only the text `false`, or the JSON value, merges. */
const resultingMetadata = (before: Metadata, given: Metadata, overwrite: unknown): Metadata => {
  const isMerge = overwrite === false || (typeof overwrite === 'string' && overwrite.trim().toLowerCase() === 'false')
  const metadata = isMerge ? mergeMetadata(before, given) : given
  const fault = metadataFault(metadata)
  if (fault !== undefined) throw invalid({ metadata: [fault] })
  return metadata
}
