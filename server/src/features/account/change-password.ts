import type { Deps } from '../../platform/deps.js'
import type { Static } from '../../platform/schema/index.js'
import {
  changeBreaksRules,
  changeRefused,
  confirmPassword,
  credentialSettings,
  findPasswordHash,
  hashPassword,
  isAnyPassword,
  listFormerHashes,
  lockAccount,
  maxPasswordLength,
  passwordLength,
  setPassword,
  tellOfChange,
} from '../credentials/index.js'
import type { Profile } from '../profiles/index.js'
import type { ChangePasswordBody, ChangePasswordView } from './account.schemas.js'

/** The checks stand in the order in which clients expect their answers. */
export const changePassword = async (
  deps: Deps,
  profile: Profile,
  body: Static<typeof ChangePasswordBody>,
): Promise<{ passwordHash: string; view: Static<typeof ChangePasswordView> }> => {
  const { current_password: current, new_password: wanted } = body
  if (!current || !wanted) throw changeRefused('current_password and new_password fields cannot be blank')
  const confirmation = await confirmPassword(deps, profile.id, current)
  if (confirmation.outcome === 'locked') {
    throw changeRefused(`Too many password reset attempts. Try again in ${confirmation.minutes} minutes`)
  }
  if (confirmation.outcome === 'wrong') {
    throw changeRefused(`Invalid password. You have ${confirmation.attemptsLeft} attempts left.`)
  }
  const faults = await ruleFaults(deps, profile.id, wanted)
  if (faults.length > 0) throw changeBreaksRules(faults)
  const hash = await hashPassword(deps.passwordCost, wanted)
  const { apiToken, tempToken } = await deps.db.transaction(async (tx) => {
    await lockAccount(tx, profile.id)
    // Of two changes at once with one current password, the second no longer has the current one.
    if ((await findPasswordHash(tx, profile.id)) !== confirmation.hash) {
      throw changeRefused('The password was changed meanwhile. Sign in with the new one.')
    }
    await tellOfChange(tx, deps, profile)
    return setPassword(tx, deps, profile.id, hash)
  })
  return {
    passwordHash: hash,
    view: { username: profile.username, access_token: apiToken, temp_token: tempToken },
  }
}

const ruleFaults = async ({ db, config }: Deps, userId: number, wanted: string): Promise<string[]> => {
  const { minPasswordLength } = config.of(credentialSettings)
  if (passwordLength(wanted) < minPasswordLength) {
    return [`This password is too short. It must contain at least ${minPasswordLength} characters.`]
  }
  if (passwordLength(wanted) > maxPasswordLength) {
    return [`This password is too long. It must contain at most ${maxPasswordLength} characters.`]
  }
  const current = await findPasswordHash(db, userId)
  const used = [...(current === undefined ? [] : [current]), ...(await listFormerHashes(db, userId))]
  return (await isAnyPassword(used, wanted)) ? ['You cannot use a previously used password.'] : []
}
