// The person's own account: profile, password, sessions, tokens, and the programs that they allowed or made.
import { api, got, type Schemas } from './client'
import { renewSession } from './session'

export type Account = Schemas['Account']
export type Profile = Schemas['Profile']
export type ProfileChange = Schemas['PatchProfile']
export type ListedSession = Schemas['ListedSession']
export type Tokens = Schemas['Tokens']
export type Application = Schemas['Client']
export type ApplicationWithSecret = Application & { readonly client_secret: string }
export type Grant = Schemas['OauthGrantListAnswer']

/** Below `/o` the server has pages, too. */
const asJson = { headers: { accept: 'application/json' } }

export const accountKey = ['account']
export const getAccount = (): Promise<Account> => got(api.GET('/api/v1/user'))

export const profileKey = (username: string) => ['profile', username] as const
const of = (username: string) => ({ params: { path: { username } } })

export const getProfile = (username: string): Promise<Profile> =>
  got(api.GET('/api/v1/profiles/{username}', of(username)))

export const changeProfile = (username: string, change: ProfileChange): Promise<Profile> =>
  got(api.PATCH('/api/v1/profiles/{username}', { ...of(username), body: change }))

export const sendVerification = (username: string): Promise<unknown> =>
  got(api.POST('/api/v1/profiles/send_verification_email', { body: { username } }))

export const changePassword = async (username: string, current: string, wanted: string): Promise<void> => {
  const body = { current_password: current, new_password: wanted }
  await got(api.POST('/api/v1/profiles/{username}/change_password', { ...of(username), body }))
  await renewSession()
}

export const sessionsKey = ['account-sessions']
export const listSessions = (): Promise<ListedSession[]> => got(api.GET('/api/v1/user/sessions'))
export const endSession = (id: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/user/sessions/{id}', { params: { path: { id } } }))

/** One after the other: there may be a hundred. One that has ended meanwhile is no fault. */
export const endSessions = async (ids: readonly number[]): Promise<void> => {
  for (const id of ids) {
    const { response, error } = await api.DELETE('/api/v1/user/sessions/{id}', { params: { path: { id } } })
    if (!response.ok && response.status !== 404) await got(Promise.resolve({ response, error }))
  }
}

export const getTokens = (password: string, renew = false): Promise<Tokens> =>
  got(api.POST('/api/v1/user/tokens', { body: { password, renew } }))

export type DevicePassword = Schemas['DevicePassword']
export const devicePasswordKey = ['device-password']
export const findDevicePassword = () => got(api.GET('/api/v1/user/device_password'))
export const renewDevicePassword = (password: string): Promise<DevicePassword> =>
  got(api.POST('/api/v1/user/device_password', { body: { password } }))
export const endDevicePassword = (): Promise<unknown> => got(api.DELETE('/api/v1/user/device_password'))

export const grantsKey = ['grants']
export const listGrants = (): Promise<Grant[]> => got(api.GET('/o/authorized_tokens', asJson)) as Promise<Grant[]>
export const takeBackGrant = (id: string): Promise<unknown> =>
  got(api.DELETE('/o/authorized_tokens/{id}', { ...asJson, params: { path: { id } } }))

export const applicationsKey = ['applications']
export const listApplications = (): Promise<Application[]> =>
  got(api.GET('/o/applications', asJson)) as Promise<Application[]>

export interface ApplicationFields {
  readonly name: string
  readonly redirect_uris: string
  readonly post_logout_redirect_uris: string
}

export const makeApplication = (fields: ApplicationFields & { client_type: string }): Promise<ApplicationWithSecret> =>
  got(api.POST('/o/applications/register', { ...asJson, body: fields })) as Promise<ApplicationWithSecret>

const one = (id: number) => ({ ...asJson, params: { path: { id } } })

export const changeApplication = (id: number, fields: ApplicationFields): Promise<Application> =>
  got(api.PATCH('/o/applications/{id}', { ...one(id), body: fields })) as Promise<Application>

export const deleteApplication = (id: number): Promise<unknown> => got(api.DELETE('/o/applications/{id}', one(id)))

export const renewSecret = (id: number): Promise<ApplicationWithSecret> =>
  got(api.POST('/o/applications/{id}/secret', { ...one(id), body: {} })) as Promise<ApplicationWithSecret>
