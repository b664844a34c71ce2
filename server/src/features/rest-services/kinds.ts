// The six kinds of rest services: what only one of them has, and what each sends.
import type { OutboundCall } from '../../platform/outbound/index.js'

export const kinds = [
  'health_info_sync',
  'generic_json',
  'generic_xml',
  'dataset_sync',
  'flow_messaging',
  'sheet_sync',
] as const

export type Kind = (typeof kinds)[number]

/** What only some kinds have; the authentication token of flow_messaging is kept apart, sealed. */
export interface Options {
  readonly flow_title?: string
  readonly flow_uuid?: string
  readonly contacts?: string
  readonly sheet_title?: string
  readonly send_existing_data?: boolean
  readonly sync_updates?: boolean
  readonly redirect_uri?: string
}

/** A submission as it is forwarded. */
export interface ForwardedRecord {
  readonly uuid: string
  /** The record as the data endpoint shows it. */
  readonly json: string
  /** As it was received. */
  readonly xml: string
}

export interface Target {
  readonly kind: Kind
  readonly serviceUrl: string
  readonly options: Options
  readonly authToken: string | undefined
  /** The form's id_string. */
  readonly idString: string
}

type Request = Pick<OutboundCall, 'method' | 'url'> & { headers: Record<string, string>; body: string }

const placeholder = /%\((id_string|uuid)\)s/g

export const requestFor = (target: Target, record: ForwardedRecord): Request => {
  const { kind, serviceUrl: url, options } = target
  const json = { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: record.json } as const
  switch (kind) {
    case 'generic_xml':
      return { method: 'POST', url, headers: { 'content-type': 'application/xml' }, body: record.xml }
    case 'health_info_sync':
      return url.search(placeholder) === -1
        ? json
        : { method: 'GET', url: filled(target, record), headers: {}, body: '' }
    case 'flow_messaging':
      return {
        ...json,
        headers: { ...json.headers, authorization: `Token ${target.authToken ?? ''}` },
        body: JSON.stringify({
          extra: flowExtra(JSON.parse(record.json)),
          flow: options.flow_uuid,
          contacts: (options.contacts ?? '')
            .split(',')
            .map((contact) => contact.trim())
            .filter((contact) => contact !== ''),
        }),
      }
    default:
      return json
  }
}

const filled = ({ serviceUrl, idString }: Target, { uuid }: ForwardedRecord): string =>
  serviceUrl.replace(placeholder, (_match, name) => encodeURIComponent(name === 'uuid' ? uuid : idString))

/** Flows take texts under plain names: everything becomes a text, what is empty is left out. */
const flowExtra = (record: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record)
      .map(([name, value]) => [name.replaceAll('/', '_'), asText(value)] as const)
      .filter(([, value]) => value !== ''),
  )

const asText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return String(value)
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}
