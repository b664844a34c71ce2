// Phones without accounts: receiving through a key, whether it is good, the list of 500 forms and a manifest of 50 files, each beside the same
// with a token.
import { prepareForm, publishMore } from '../account.js'
import { load, type Outcome } from '../raw-client.js'
import type { Figure } from '../report.js'
import { type BenchServer, newDataDir, removeDataDir, startServer } from '../server.js'
import { multipartRequest, submissionXml } from '../visit-form.js'
import type { Workload } from '../workload.js'

const formCount = 500
const fileCount = 50

interface Place {
  readonly address: string
  readonly token: string
  readonly formId: number
  readonly uuid: string
  readonly key: string
}

const api = async <T>(address: string, token: string, path: string, body: object | FormData): Promise<T> => {
  const isForm = body instanceof FormData
  const response = await fetch(`${address}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

const prepare = async ({ address }: BenchServer, forms: number, tell: (share: number) => void): Promise<Place> => {
  const first = await prepareForm(address)
  const { token, formId, uuid } = first
  const { project } = (await (
    await fetch(`${address}/api/v1/forms/${formId}`, { headers: { authorization: `Token ${token}` } })
  ).json()) as { project: string }
  const pk = project.split('/').at(-1)
  await publishMore(address, first, forms - 1, tell)
  for (let n = 0; n < fileCount; n++) {
    const entry = new FormData()
    const fields = { xform: String(formId), data_type: 'media', data_value: `file${n}.csv` }
    for (const [name, value] of Object.entries(fields)) entry.set(name, value)
    entry.set('data_file', new Blob([`name\n${n}\n`], { type: 'text/csv' }), `file${n}.csv`)
    await api(address, token, '/metadata', entry)
  }
  const { token: key } = await api<{ token: string }>(address, token, `/projects/${pk}/keys`, { name: 'Tablet' })
  return { address, token, formId, uuid, key }
}

const head = (path: string, headers = ''): Buffer => asked('HEAD', path, headers)
const get = (path: string, headers = ''): Buffer => asked('GET', path, headers)

const asked = (method: string, path: string, headers: string): Buffer =>
  Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}X-OpenRosa-Version: 1.0\r\n\r\n`)

const refusedIn = ({ statuses }: Outcome): string[] =>
  [...statuses].filter(([status]) => status >= 300).map(([status, count]) => `${count} × ${status}`)

export const keys: Workload = {
  name: 'keys',
  description: `through a key: receiving, whether it is good, a list of ${formCount} forms, a manifest of ${fileCount} files`,
  run: async ({ isQuick, progress }) => {
    const dataDir = newDataDir()
    const server = await startServer(dataDir, {})
    try {
      const forms = isQuick ? 50 : formCount
      const place = await prepare(server, forms, (share) => progress(share * 0.5, `publishing ${forms} forms`))
      const authorization = `Authorization: Token ${place.token}\r\n`
      const device = '?deviceID=collect%3Abench'
      const below = `/key/${place.key}`
      const xml = () => submissionXml(place.uuid)
      const pairs: [string, number, () => Buffer, () => Buffer][] = [
        [
          'Receiving, concurrency 32',
          32,
          () => multipartRequest(`${below}/submission${device}`, '', xml()),
          () => multipartRequest('/ana/submission', authorization, xml()),
        ],
        [
          'Whether it is good (HEAD), concurrency 32',
          32,
          () => head(`${below}/submission${device}`),
          () => head('/ana/submission', authorization),
        ],
        [
          `formList of ${forms} forms`,
          8,
          () => get(`${below}/formList${device}`),
          () => get('/ana/formList', authorization),
        ],
        [
          `manifest of ${fileCount} files`,
          8,
          () => get(`${below}/xformsManifest/${place.formId}${device}`),
          () => get(`/ana/xformsManifest/${place.formId}`, authorization),
        ],
      ]
      const seconds = isQuick ? 1 : 4
      const rounds = isQuick ? 2 : 6
      const figures: Figure[] = []
      server.rest()
      for (const [index, [name, connections, byKey, byToken]] of pairs.entries()) {
        progress(0.5 + index / pairs.length / 2, name)
        const best = { key: 0, token: 0 }
        // In turns, the best of its rounds: a noisy moment of the machine hits both.
        for (let round = 0; round < rounds; round++) {
          for (const [kind, next] of [
            ['token', byToken],
            ['key', byKey],
          ] as const) {
            const outcome = await load(place.address, { connections, seconds }, next)
            const refused = refusedIn(outcome)
            if (refused.length > 0) throw new Error(`${name} by ${kind}: refused ${refused.join(', ')}`)
            best[kind] = Math.max(best[kind], outcome.perSecond)
          }
        }
        const limit = { name: 'the same with a token', value: best.token }
        figures.push({
          name,
          value: best.key,
          unit: '/s',
          limit,
          aim: { text: '≥ 0.9', isMet: best.key >= best.token * 0.9 },
        })
      }
      figures.push(...server.strain())
      return { workload: 'keys', figures }
    } finally {
      await server.stop()
      removeDataDir(dataDir)
    }
  },
}
