// Keys of phones, links that are given away, and what has come through them.
import { api, got, type Schemas } from './client'

export type DeviceKey = Schemas['Key']
/** A key of the kind `link`. */
export type KeyLink = DeviceKey

export interface KeyFields {
  readonly name?: string
  readonly forms?: 'all' | number[]
  readonly acts_as?: string | null
  readonly expires_at?: string | null
}

export interface LinkFields {
  readonly name: string
  readonly limit?: number | null
  readonly expires_at?: string | null
  readonly single?: boolean
}

export const keysKey = (projectId: number) => ['project', projectId, 'keys'] as const
export const linksKey = (formId: number) => ['form', formId, 'links'] as const
export const keyKey = (keyId: number) => ['key', keyId] as const

const of = (id: number) => ({ params: { path: { id } } })

export const listKeys = (projectId: number): Promise<DeviceKey[]> =>
  got(api.GET('/api/v1/projects/{pk}/keys', { params: { path: { pk: projectId } } }))

export const getKey = (keyId: number): Promise<DeviceKey> => got(api.GET('/api/v1/keys/{id}', of(keyId)))

export const makeKey = (projectId: number, body: KeyFields & { readonly name: string }): Promise<DeviceKey> =>
  got(api.POST('/api/v1/projects/{pk}/keys', { params: { path: { pk: projectId } }, body }))

export const changeKey = (keyId: number, body: KeyFields): Promise<DeviceKey> =>
  got(api.PATCH('/api/v1/keys/{id}', { ...of(keyId), body }))

export const renewKey = (keyId: number): Promise<DeviceKey> => got(api.POST('/api/v1/keys/{id}/renew', of(keyId)))

export const revokeKey = (keyId: number): Promise<unknown> => got(api.POST('/api/v1/keys/{id}/revoke', of(keyId)))

export const deleteKey = (keyId: number): Promise<unknown> => got(api.DELETE('/api/v1/keys/{id}', of(keyId)))

export const listLinks = (formId: number): Promise<KeyLink[]> =>
  got(api.GET('/api/v1/forms/{pk}/links', { params: { path: { pk: formId } } }))

export const makeLink = (formId: number, body: LinkFields): Promise<KeyLink> =>
  got(api.POST('/api/v1/forms/{pk}/links', { params: { path: { pk: formId } }, body }))

export type UnseenDevice = Schemas['UnseenDevice']

export const unseenKey = (formId: number) => ['form', formId, 'unseen'] as const

/** Phones that may still hold records of a form: not seen for a week. */
export const listUnseen = (formId: number): Promise<UnseenDevice[]> =>
  got(api.GET('/api/v1/forms/{pk}/unseen_devices', { params: { path: { pk: formId } } }))

/** The settings of a key as a picture or a text. */
export const codeAddress = (keyId: number, ending: 'svg' | 'png' | 'txt', mode: 'managed' | 'plain'): string =>
  `/api/v1/keys/${keyId}/settings.${ending}?mode=${mode}`

export const sheetAddress = (projectId: number, language: string): string =>
  `/api/v1/projects/${projectId}/keys/sheet?language=${language}`
