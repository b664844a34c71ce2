// Receiving for one form, for 32 and for 1,000 in turn, by one sender, each beside the same for one form.
import { type NumberedForm, prepareForm, publishMore } from '../account.js'
import { load } from '../raw-client.js'
import type { Figure } from '../report.js'
import { newDataDir, removeDataDir, startServer } from '../server.js'
import { multipartRequest, submissionXml } from '../visit-form.js'
import type { Workload } from '../workload.js'

const concurrencies = [32, 256]

export const manyForms: Workload = {
  name: 'many-forms',
  description: 'receiving for 1, 32 and 1,000 forms, concurrency 32 and 256',
  run: async ({ isQuick, progress }) => {
    const counts = isQuick ? [1, 32, 100] : [1, 32, 1000]
    const rounds = isQuick ? 1 : 3
    const seconds = isQuick ? 1 : 4
    const most = Math.max(...counts)
    const dataDir = newDataDir()
    const server = await startServer(dataDir, {})
    try {
      const first = await prepareForm(server.address)
      const more = await publishMore(server.address, first, most - 1, (share) =>
        progress(share * 0.6, `publishing ${most} forms`),
      )
      const forms: NumberedForm[] = [{ idString: 'visit', uuid: first.uuid }, ...more]
      const headers = `Authorization: Token ${first.token}\r\n`
      let sent = 0
      const nextOf = (count: number) => () => {
        const { uuid, idString } = forms[sent++ % count] as NumberedForm
        return multipartRequest('/ana/submission', headers, submissionXml(uuid, undefined, idString))
      }
      const receive = async (count: number, connections: number) => {
        const outcome = await load(server.address, { connections, seconds }, nextOf(count))
        const refused = [...outcome.statuses].filter(([status]) => status !== 201)
        if (refused.length > 0) throw new Error(`Refused: ${JSON.stringify(refused)}`)
        return outcome
      }
      // By number, not by time: every form is known to the server.
      await load(server.address, { connections: 32, seconds: 120, most: 5 * most }, nextOf(most))
      server.rest()
      const figures: Figure[] = []
      for (const [index, connections] of concurrencies.entries()) {
        progress(0.6 + (index / concurrencies.length) * 0.4, `concurrency ${connections}`)
        const best = new Map(counts.map((count) => [count, { perSecond: 0, p99: Number.POSITIVE_INFINITY }]))
        // In turns, the best of its rounds: a noisy moment of the machine hits all of them.
        for (let round = 0; round < rounds; round++) {
          for (const count of counts) {
            const { perSecond, p99 } = await receive(count, connections)
            const before = best.get(count) as { perSecond: number; p99: number }
            best.set(count, { perSecond: Math.max(before.perSecond, perSecond), p99: Math.min(before.p99, p99) })
          }
        }
        figures.push(...figuresOf(best, connections, most))
      }
      return { workload: 'many-forms', figures: [...figures, ...server.strain()], limitedBy }
    } finally {
      await server.stop()
      removeDataDir(dataDir)
    }
  },
}

const limitedBy = `What waits is one statement and one commit, of however many forms. Each form has a premise of its own to be asked for, and a
counter and a page of the indexes of its own to be written.`

const figuresOf = (
  best: ReadonlyMap<number, { readonly perSecond: number; readonly p99: number }>,
  connections: number,
  most: number,
): Figure[] => {
  const alone = best.get(1)?.perSecond ?? Number.NaN
  return [...best].flatMap(([count, { perSecond, p99 }]) => [
    {
      name: `Receiving for ${count.toLocaleString('en')} ${count === 1 ? 'form' : 'forms'}, concurrency ${connections}`,
      value: perSecond,
      unit: '/s',
      ...(count > 1 && { limit: { name: 'for one form', value: alone } }),
      ...(count === most && { aim: { text: '≥ 0.70', isMet: perSecond >= alone * 0.7 } }),
    },
    { name: 'p99 of it', value: p99, unit: 'ms' },
  ])
}
