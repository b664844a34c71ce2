// Receiving for a form with three rest services, one of which never answers, beside receiving for one without; then how
// fast what has waited is forwarded.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchForm, prepareForm } from '../account.js'
import { load } from '../raw-client.js'
import { memoryOf, newDataDir, removeDataDir, startServer } from '../server.js'
import { formText, multipartRequest, submissionXml } from '../visit-form.js'
import type { Workload } from '../workload.js'

const startReceiver = async () => {
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const { url = '' } = request
      counts.set(url, (counts.get(url) ?? 0) + 1)
      if (url !== '/dead') response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { counts, close, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const live = ['/one', '/two']

const prepareForwarding = async (address: string, { token }: BenchForm, receiver: string): Promise<string> => {
  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${address}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  const text = formText.replace(',visit,Household visit,1', ',forwarded,Forwarded visit,1')
  const form = await post<{ formid: number; uuid: string }>('/forms', { text_xls_form: text })
  for (const path of ['/dead', ...live]) {
    await post('/restservices', { xform: form.formid, name: 'generic_json', service_url: `${receiver}${path}` })
  }
  return form.uuid
}

export const forwarding: Workload = {
  name: 'forwarding',
  description: 'Submissions to a form with three rest services, one of them dead',
  run: async ({ isQuick, progress }) => {
    const dataDir = newDataDir()
    const server = await startServer(dataDir)
    const receiver = await startReceiver()
    try {
      const plain = await prepareForm(server.address)
      const forwardedUuid = await prepareForwarding(server.address, plain, receiver.address)
      const headers = `Authorization: Token ${plain.token}\r\n`
      const size = { connections: 32, seconds: isQuick ? 1 : 5 }
      const rounds = isQuick ? 1 : 2
      const send = (uuid: string, seconds = size.seconds) =>
        load(server.address, { ...size, seconds }, () =>
          multipartRequest('/ana/submission', headers, submissionXml(uuid)),
        )
      let sent = 0
      const arrived = () => Math.min(...live.map((path) => receiver.counts.get(path) ?? 0))
      await send(plain.uuid, 1)
      server.rest()
      let [without, withThree, rate] = [0, 0, 0]
      const early = memoryOf(server.pid).server
      // Interleaved, the best of its rounds; what waits is forwarded before the next is measured.
      for (let round = 1; round <= rounds; round++) {
        progress(round / (rounds + 1), `round ${round}`)
        without = Math.max(without, (await send(plain.uuid)).perSecond)
        const outcome = await send(forwardedUuid)
        withThree = Math.max(withThree, outcome.perSecond)
        sent += outcome.statuses.get(201) ?? 0
        const [begun, before] = [performance.now(), arrived()]
        while (arrived() < sent) await wait(20)
        rate = Math.max(rate, ((sent - before) * live.length * 1000) / (performance.now() - begun))
      }
      const late = memoryOf(server.pid).server
      return {
        workload: 'forwarding',
        figures: [
          {
            name: 'Ingest with three rest services',
            value: withThree,
            unit: '/s',
            limit: { name: 'without', value: without },
            aim: { text: '≥ 0.90', isMet: withThree >= without * 0.9 },
          },
          { name: 'Forwarded afterwards', value: rate, unit: '/s' },
          {
            name: `Memory after ${(sent * live.length).toLocaleString('en')} deliveries`,
            value: late,
            unit: 'MB',
            limit: { name: 'before', value: early },
          },
          ...server.strain(),
        ],
        limitedBy:
          'One process receives and forwards, and forwards at leisure while much is received. Each submission makes three deliveries, of which two are sent and the third is tried in vain.',
      }
    } finally {
      receiver.close()
      await server.stop()
      removeDataDir(dataDir)
    }
  },
}
