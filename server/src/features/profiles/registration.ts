// A new account: the user, the profile, the credentials and the verification mail commit together or not at all.
import type { FastifyRequest } from 'fastify'
import { orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { faultsFrom, invalid, readBody, throwFaults } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import {
  createCredentials,
  credentialSettings,
  hashPassword,
  limitAddressGuesses,
  limitRegistrations,
} from '../credentials/index.js'
import { acceptInvitations } from '../invitations/index.js'
import { emailKey, findTaken, hasPeople, insertUser, lockFirstAccount, normalizeUsername } from '../users/index.js'
import { metadataFault } from './metadata.js'
import { namesOf } from './names.js'
import {
  emailTaken,
  emailTakenMessage,
  registrationDisabled,
  setUpAlready,
  usernameTaken,
  usernameTakenMessage,
} from './profiles.errors.js'
import { insertProfile } from './profiles.queries.js'
import { RegistrationBody } from './profiles.schemas.js'
import { profileSettings } from './profiles.settings.js'
import { type Arrival, arrivalOf, requestVerification } from './verification.js'

export type Registration = Static<ReturnType<typeof RegistrationBody>>

/** The faults of a body that its schema cannot see, added to those it saw: all of them in one answer. */
export const faultsOf = async (
  deps: Deps,
  body: Partial<Registration> = {},
  schemaError: unknown,
  exceptId: number,
): Promise<Record<string, string | readonly string[]>> => {
  const faults = faultsFrom(schemaError)
  if (faults.non_field_errors !== undefined) return faults
  const username = faults.username === undefined ? (body.username ?? '') : ''
  const email = faults.email === undefined ? (body.email ?? '') : ''
  const taken = await findTaken(deps.db, { username, email, exceptId })
  if (taken.username) faults.username = [usernameTakenMessage(username)]
  if (taken.email) faults.email = [emailTakenMessage]
  const tooLarge = faults.metadata === undefined ? metadataFault(body.metadata) : undefined
  if (tooLarge !== undefined) faults.metadata = [tooLarge]
  return faults
}

interface Circumstances {
  /** Without it, whoever runs the server vouches for the account. */
  readonly arrival?: Arrival
  readonly isOperator?: boolean
  /** Only where there is nobody yet. */
  readonly isFirst?: boolean
}

const register = async (
  deps: Deps,
  body: Registration,
  { arrival, isOperator = false, isFirst = false }: Circumstances,
): Promise<number> => {
  const { db, config, clock } = deps
  const settings = config.of(profileSettings)
  const { firstName = '', lastName = '' } = namesOf(body)
  const passwordHash = body.password ? await hashPassword(deps.passwordCost, body.password) : undefined
  const now = clock.now()
  return orConflict(
    db.transaction(async (tx) => {
      if (isFirst) {
        await lockFirstAccount(tx)
        if (await hasPeople(tx)) throw setUpAlready()
      }
      const id = await insertUser(tx, {
        username: body.username,
        email: body.email,
        firstName,
        lastName,
        isActive: settings.areActiveAtOnce || arrival === undefined,
        isOrg: false,
        isOperator,
        joinedAt: now,
      })
      const requireAuth = body.require_auth ?? (settings.requireAuthByDefault || settings.requireAuthDefault)
      await insertProfile(tx, id, { ...body, requireAuth }, now)
      await createCredentials(tx, deps, id, passwordHash)
      // Where addresses are verified, an invitation waits until this one is.
      if (settings.isVerificationEnabled) {
        await requestVerification(tx, deps, id, { email: body.email, arrival, redirectUrl: body.redirect_url })
      } else await acceptInvitations(tx, { userId: id, emailKey: emailKey(body.email), now })
      return id
    }),
    {
      users__username: () => usernameTaken(body.username),
      users__email_key: emailTaken,
      sign_in_names__name: () => usernameTaken(body.username ?? ''),
    },
  )
}

const faultsIn = async (deps: Deps, body: Partial<Registration>, schemaError: unknown) => {
  const faults = await faultsOf(deps, body, schemaError, 0)
  if (!faults.non_field_errors && !body?.first_name && !body?.name) faults.first_name ??= ['This field is required.']
  return faults
}

/** Counted by the caller's address, whichever way it is asked for: over the API or on the page. */
export const registerAt = async (
  deps: Deps,
  request: FastifyRequest,
  body: Registration,
  schemaError: unknown,
): Promise<number> => {
  if (deps.config.of(profileSettings).mayNotRegister) throw registrationDisabled()
  await limitRegistrations(deps, request)
  return limitAddressGuesses(deps, request, async () => {
    throwFaults(await faultsIn(deps, body, schemaError))
    return register(deps, body, { arrival: arrivalOf(request) })
  })
}

/** On the page, which asks for a password; answers the name of the account. */
export const registerPerson = async (deps: Deps, request: FastifyRequest, fields: object): Promise<string> => {
  const minPasswordLength = deps.config.of(credentialSettings).minPasswordLength
  const body = readBody(RegistrationBody({ minPasswordLength, mayLeadTo: () => false }))(fields)
  if (!body.password) throw invalid({ password: ['This field is required.'] })
  await registerAt(deps, request, body, undefined)
  return normalizeUsername(body.username)
}

const readVouched = ({ config }: Deps, fields: object): Registration => {
  const { minPasswordLength } = config.of(credentialSettings)
  return readBody(RegistrationBody({ minPasswordLength, mayLeadTo: () => true }))(fields)
}

const schemaErrorOf = (deps: Deps, fields: object): unknown => {
  try {
    readVouched(deps, fields)
    return undefined
  } catch (error) {
    return error
  }
}

/** By whoever runs the server: the same rules as over the API, whatever DISABLE_CREATING_USERS says. */
const registerVouched = async (deps: Deps, fields: object, circumstances: Circumstances): Promise<string> => {
  const valid = readVouched(deps, fields)
  throwFaults(await faultsOf(deps, valid, undefined, 0))
  await register(deps, valid, circumstances)
  return normalizeUsername(valid.username)
}

export const registerFromTerminal = (deps: Deps, body: Registration, isOperator: boolean): Promise<string> =>
  registerVouched(deps, body, { isOperator })

/** The one account that a page may make where there is none, for whoever runs the server; 409 when there is one. */
export const registerFirst = async (deps: Deps, fields: Partial<Registration>): Promise<string> => {
  if (await hasPeople(deps.db)) throw setUpAlready()
  const faults = await faultsIn(deps, fields, schemaErrorOf(deps, fields))
  if (!fields.password) faults.password ??= ['This field is required.']
  throwFaults(faults)
  return registerVouched(deps, fields, { isOperator: true, isFirst: true })
}
