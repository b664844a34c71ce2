// Keys for devices, made over HTTP, and what a device does with one.
import type { Account, TestApp } from './app.js'
import { type SentFile, submissionBody } from './submissions.js'

export interface KeyBody {
  id: number
  token: string
  address: string
  name: string
  forms: 'all' | number[]
  submissions: number
  last_seen: string | null
  last_list: string | null
  last_submission: string | null
  revoked_at: string | null
  stopped_at: string | null
  devices: { device_id: string; agent: string; submissions: number }[]
}

let made = 0

export const newKey = async (app: TestApp, by: Account, project: number, fields: object = {}): Promise<KeyBody> => {
  const response = await app.as(by)('POST', `/projects/${project}/keys`, {
    body: { name: `Tablet ${++made}`, ...fields },
  })
  if (response.statusCode !== 201) throw new Error(`The key was not made: ${response.body}`)
  return response.json()
}

export const newLink = async (app: TestApp, by: Account, form: number, fields: object = {}): Promise<KeyBody> => {
  const response = await app.as(by)('POST', `/forms/${form}/links`, { body: { name: `Link ${++made}`, ...fields } })
  if (response.statusCode !== 201) throw new Error(`The link was not made: ${response.body}`)
  return response.json()
}

/** GET below a key, as a phone does. */
export const fetchBy = (app: TestApp, { token }: Pick<KeyBody, 'token'>, path: string, deviceId = 'collect:test') =>
  app.page('GET', `/key/${token}${path}${path.includes('?') ? '&' : '?'}deviceID=${encodeURIComponent(deviceId)}`)

export const sendBy = (
  app: TestApp,
  { token }: Pick<KeyBody, 'token'>,
  xml: string | Buffer,
  {
    files = [],
    deviceId = 'collect:test',
    agent,
  }: { files?: readonly SentFile[]; deviceId?: string; agent?: string } = {},
) => {
  const { body, headers } = submissionBody(xml, files)
  return app.page('POST', `/key/${token}/submission?deviceID=${encodeURIComponent(deviceId)}`, {
    body,
    headers: { ...headers, ...(agent !== undefined && { 'user-agent': agent }) },
  })
}

/** The words that stand in the answer to a phone. */
export const messageIn = (xml: string): string | undefined => /<message[^>]*>([^<]*)<\/message>/.exec(xml)?.[1]

export const deadText = 'This phone is no longer allowed to send. Show this to your supervisor.'
