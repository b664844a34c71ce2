// Profiles: /profiles. Anybody may register and look; only the account itself may change its profile.

import type { Deps, Room } from '../../platform/deps.js'
import { absent, errors, forbidden, throwFaults } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { redirectsOf } from '../../platform/settings.js'
import { credentialSettings, limitAddressGuesses } from '../credentials/index.js'
import { normalizeUsername } from '../users/index.js'
import { changeProfile, emailChangeFault } from './profile-changes.js'
import { findProfile, getProfileById, listProfiles, type Profile } from './profiles.queries.js'
import { PatchBody, ProfileParams, ProfilesQuery, ProfileView, PutBody, RegistrationBody } from './profiles.schemas.js'
import { ownView, viewFor } from './profiles.views.js'
import { faultsOf, registerAt } from './registration.js'
import { arrivalOf } from './verification.js'

export const getProfile = async (deps: Deps, pathName: string): Promise<Profile> => {
  const profile = await findProfile(deps.db, pathName)
  if (profile === undefined) throw absent()
  return profile
}

/** Visible to everybody, so a stranger's call is forbidden, not missing. */
export const getOwnProfile = async (deps: Deps, pathName: string, callerId: number): Promise<Profile> => {
  const profile = await getProfile(deps, pathName)
  if (profile.id !== callerId) throw forbidden()
  return profile
}

export const profileRoutes: Room = async (app, deps) => {
  const { db, config, secrets } = deps
  const rules = {
    minPasswordLength: config.of(credentialSettings).minPasswordLength,
    mayLeadTo: redirectsOf(config),
  }

  app.post(
    '/profiles',
    {
      config: { operation: 'profile.register', access: 'anyone' },
      schema: {
        summary: 'Register an account',
        description: 'With ENABLE_EMAIL_VERIFICATION, a verification mail is sent to the address.',
        tags: ['profiles'],
        body: RegistrationBody(rules),
        response: { 201: ProfileView, ...errors(400, 401, 403, 413, 415, 429) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const id = await registerAt(deps, request, request.body, request.validationError)
      const view = ownView({ origin: request.origin, secrets }, await getProfileById(db, id))
      return reply.code(201).header('location', view.url).send(view)
    },
  )

  app.get(
    '/profiles',
    {
      config: { operation: 'profile.list', access: 'anyone' },
      schema: {
        summary: 'List profiles',
        description: 'Those of `users`, by username; without it the caller’s own. Empty for anonymous callers.',
        tags: ['profiles'],
        querystring: ProfilesQuery,
        response: { 200: Type.Array(ProfileView), ...errors(400, 401) },
      },
    },
    async ({ query, caller, origin }) => {
      if (caller.isAnonymous) return []
      const named = (query.users ?? '').split(',').map(normalizeUsername).filter(Boolean)
      const profiles = await listProfiles(db, named.length === 0 ? [caller.username] : named)
      return profiles.map((profile) => viewFor(caller.id, { origin, secrets }, profile))
    },
  )

  app.get(
    '/profiles/:username',
    {
      config: { operation: 'profile.get', access: 'anyone' },
      schema: {
        summary: 'One profile',
        description: 'E-mail address and metadata are shown to the account itself only.',
        tags: ['profiles'],
        params: ProfileParams,
        response: { 200: ProfileView, ...errors(401, 404) },
      },
    },
    async ({ params, caller, origin }) =>
      viewFor(caller.id, { origin, secrets }, await getProfile(deps, params.username)),
  )

  for (const { method, operation, summary, body } of [
    { method: 'PATCH', operation: 'profile.patch', summary: 'Change some of a profile', body: PatchBody },
    { method: 'PUT', operation: 'profile.put', summary: 'Change a profile', body: PutBody },
  ] as const) {
    app.route({
      method,
      url: '/profiles/:username',
      config: { operation, access: 'user' },
      schema: {
        summary,
        description:
          'For `email` add `password`. With `overwrite` set to `false`, the given metadata keys are merged into the metadata; otherwise it is replaced.',
        tags: ['profiles'],
        params: ProfileParams,
        body,
        response: { 200: ProfileView, ...errors(400, 401, 403, 404, 413, 415, 429) },
      },
      attachValidation: true,
      handler: async (request) => {
        const profile = await getOwnProfile(deps, request.params.username, request.caller.id)
        const change = async () => {
          const faults = await faultsOf(deps, request.body, request.validationError, profile.id)
          const isReadable =
            faults.email === undefined && faults.password === undefined && faults.non_field_errors === undefined
          const fault = isReadable ? await emailChangeFault(deps, profile, request.body) : undefined
          if (fault !== undefined) faults.password = [fault]
          throwFaults(faults)
          await changeProfile(deps, profile, request.body, arrivalOf(request))
        }
        const { username, email } = request.body ?? {}
        const namesAccount = username !== undefined || email !== undefined
        await (namesAccount ? limitAddressGuesses(deps, request, change) : change())
        return ownView({ origin: request.origin, secrets }, await getProfileById(db, profile.id))
      },
    })
  }
}
