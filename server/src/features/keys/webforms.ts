// Where a browser fills in a link: Enketo is told the address of the key, as any phone is, and answers with a page.
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { OutboundFailed, OutboundRefused } from '../../platform/outbound/index.js'
import { isWebAddress } from '../../platform/words/index.js'
import { setWebform } from './keys.queries.js'
import { keySettings } from './keys.settings.js'

interface Link {
  readonly id: number
  /** What the key is reached by. */
  readonly address: string
  readonly formId: string
  readonly isSingle: boolean
}

const { webformSeconds, webformBytes, webformCharacters } = budgets.keys

const addressIn = (text: string, name: string): string | null => {
  try {
    const url = (JSON.parse(text) as Record<string, unknown> | null)?.[name]
    return typeof url === 'string' && url.length <= webformCharacters && isWebAddress(url) ? url : null
  } catch {
    return null
  }
}

const ask = async ({ config, outbound, log }: Deps, { address, formId, isSingle }: Link): Promise<string | null> => {
  const { enketoUrl, enketoKey } = config.of(keySettings)
  if (enketoUrl === undefined || enketoKey === undefined) return null
  try {
    const { status, body } = await outbound.call({
      method: 'POST',
      url: `${enketoUrl.replace(/\/$/, '')}/api/v2/survey/all`,
      headers: {
        authorization: `Basic ${Buffer.from(`${enketoKey}:`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ server_url: address, form_id: formId }).toString(),
      timeoutSeconds: webformSeconds,
      keepBytes: webformBytes,
      // The body holds the key.
      redirects: 'never',
    })
    const url = status < 300 ? addressIn(body.toString('utf8'), isSingle ? 'single_once_url' : 'single_url') : null
    if (url === null) log.warn({ status }, 'Enketo gave no address for a link')
    return url
  } catch (error) {
    if (!(error instanceof OutboundFailed || error instanceof OutboundRefused)) throw error
    log.warn({ reason: error.message }, 'Enketo could not be asked for the address of a link')
    return null
  }
}

/** Without Enketo, or while it is away, the link has none: it works in Collect all the same. */
export const openWebform = async (deps: Deps, link: Link): Promise<void> =>
  void (await setWebform(deps.db, link.id, await ask(deps, link)))
