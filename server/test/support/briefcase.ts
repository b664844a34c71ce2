// What Briefcase asks of a server, as it asks it: the bytes of its addresses, with its faults.
import type { Account, TestApp } from './app.js'

/** As Briefcase escapes a part of an address. */
const escaped = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')

export const textsIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  )

export interface Puller {
  list(
    formId: string,
    cursor?: string,
    numEntries?: number,
  ): Promise<{ status: number; ids: string[]; cursor: string; body: string }>
  record(formId: string, instanceId: string, version?: string): Promise<{ status: number; body: string }>
  get(path: string): Promise<{ status: number; body: string; bytes: Buffer }>
}

/** `null`: somebody who has not signed in. */
export const pullerOf = (app: TestApp, account: Account | null, base = ''): Puller => {
  const headers = {
    'x-openrosa-version': '1.0',
    ...(account !== null && { authorization: `Token ${account.apiToken}` }),
  }
  const get = async (path: string) => {
    const answer = await app.page('GET', path, { headers })
    return { status: answer.statusCode, body: answer.body, bytes: answer.rawPayload }
  }
  return {
    get,
    list: async (formId, cursor = '', numEntries = 100) => {
      const query = `formId=${escaped(formId)}&cursor=${escaped(cursor)}&numEntries=${numEntries}&includeIncomplete=false`
      const { status, body } = await get(`${base}/view/submissionList?${query}`)
      return { status, body, ids: textsIn(body, 'id'), cursor: textsIn(body, 'resumptionCursor')[0] ?? '' }
    },
    record: (formId, instanceId, version = 'Optional[5]') =>
      get(
        `${base}/view/downloadSubmission?formId=${escaped(`${formId}[@version=${version} and @uiVersion=null]/data[@key=${instanceId}]`)}`,
      ),
  }
}

/** Every id, a few at a time, until a list is empty. */
export const allIds = async (puller: Puller, formId: string, numEntries: number): Promise<string[]> => {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const chunk = await puller.list(formId, cursor, numEntries)
    if (chunk.status !== 200) throw new Error(chunk.body)
    if (chunk.ids.length === 0) return ids
    ids.push(...chunk.ids)
    cursor = chunk.cursor
  }
}
