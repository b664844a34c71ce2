// What happens before somebody is signed in: what the server offers, the first account, registering, a new password.
import { api, careful, got, type Schemas } from './client'
import { errorOf } from './errors'

export interface EntranceOptions {
  /** Anybody may make an account. */
  readonly registration: boolean
  /** A mail has to be answered first. */
  readonly verification: boolean
  readonly password_min_length: number
  readonly stay_seconds: number
  readonly providers: readonly { readonly name: string; readonly title: string; readonly login: string }[]
  /** An outside provider vouched for an address; the password is asked for once. */
  readonly connecting: boolean
}

const json = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
  const answer = await careful(path, {
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    ...init,
  })
  const text = await answer.text()
  const body: unknown = /^[[{"]/.test(text) ? JSON.parse(text) : text
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  return body as T
}

export const entranceOptions = (): Promise<EntranceOptions> => json('/accounts/options')

export const isSetupNeeded = async (): Promise<boolean> => (await json<{ needed: boolean }>('/accounts/setup')).needed

export interface NewAccount {
  readonly name: string
  readonly username: string
  readonly email: string
  readonly password: string
}

export const setUp = (account: NewAccount & { readonly code: string }): Promise<{ username: string }> =>
  json('/accounts/setup', { method: 'POST', body: JSON.stringify(account) })

/** The API knows a first name and the rest; a name that is typed whole is split by the server. */
export const register = (account: NewAccount): Promise<{ username: string }> =>
  json('/api/v1/profiles', { method: 'POST', body: JSON.stringify(account) })

export const askForReset = (email: string): Promise<unknown> =>
  got(api.POST('/api/v1/user/reset_mail', { body: { email } }))

/** What an invitation offers, for whoever holds the token of its mail. */
export type Offer = Schemas['InvitationGetAnswer']

export const offerKey = (token: string) => ['invitation', token] as const

export const readOffer = (token: string): Promise<Offer> =>
  got(api.GET('/api/v1/invitations/{token}', { params: { path: { token } } }))

export const acceptOffer = (token: string): Promise<Offer> =>
  got(api.POST('/api/v1/invitations/{token}/accept', { params: { path: { token } } }))

export const setPassword = (body: {
  uid: string
  token: string
  new_password: string
}): Promise<{ username: string }> => json('/api/v1/user/reset', { method: 'POST', body: JSON.stringify(body) })

export const verifyAddress = (key: string): Promise<{ username: string }> =>
  json(`/api/v1/profiles/verify_email?${new URLSearchParams({ verification_key: key })}`)
