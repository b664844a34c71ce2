// GET /user by Basic and by Token, beside a bare Fastify that reads the same account from the same database.
import autocannon from 'autocannon'
import Fastify from 'fastify'

import { openPool } from '../database.js'
import { newDataDir, removeDataDir, startServer } from '../server.js'
import type { Workload } from '../workload.js'

const connections = 8

const rate = async (url: string, seconds: number, authorization?: string): Promise<number> => {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    ...(authorization !== undefined && { headers: { authorization } }),
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result['2xx'] / result.duration
}

/** Nothing but HTTP and one prepared SELECT per request. */
const bareServer = async (dataDir: string) => {
  const pool = openPool(dataDir, 10)
  const app = Fastify()
  const text = 'select * from users join profiles on profiles.user_id = users.id where users.id = $1'
  app.get('/user', async () => (await pool.query({ name: 'account', text, values: [1] })).rows[0])
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await app.close()
    await pool.end()
  }
  return { address, close }
}

export const signIn: Workload = {
  name: 'sign-in',
  description: 'GET /user by Basic against Token, 8 connections',
  run: async ({ isQuick, progress }) => {
    const dataDir = newDataDir()
    const server = await startServer(dataDir)
    const bare = await bareServer(dataDir)
    try {
      const password = 'correct horse'
      const body = new URLSearchParams({ username: 'ana', email: 'ana@example.org', first_name: 'Ana', password })
      await fetch(`${server.address}/api/v1/profiles`, { method: 'POST', body })
      const basic = `Basic ${Buffer.from(`ana:${password}`).toString('base64')}`
      const url = `${server.address}/api/v1/user`
      const { api_token: key } = (await (await fetch(url, { headers: { authorization: basic } })).json()) as {
        api_token: string
      }
      const seconds = isQuick ? 1 : 4
      const rounds = isQuick ? 2 : 3
      const best = { basic: 0, token: 0, bare: 0 }
      await rate(url, isQuick ? 1 : 2, `Token ${key}`)
      server.rest()
      // Interleaved, best of three: a noisy moment of the machine hits all of them.
      for (let i = 0; i < rounds; i++) {
        progress(i / rounds, `round ${i + 1} of ${rounds}`)
        best.token = Math.max(best.token, await rate(url, seconds, `Token ${key}`))
        best.basic = Math.max(best.basic, await rate(url, seconds, basic))
        best.bare = Math.max(best.bare, await rate(`${bare.address}/user`, seconds))
      }
      const limit = { name: 'bare Fastify, one SELECT', value: best.bare }
      const share = best.basic / best.token
      return {
        workload: 'sign-in',
        figures: [
          { name: 'GET /user by Token', value: best.token, unit: '/s', limit },
          { name: 'GET /user by Basic', value: best.basic, unit: '/s', limit },
          {
            name: 'Basic as a share of Token',
            value: share,
            unit: '',
            aim: { text: '≥ 0.80', isMet: share >= 0.8 },
          },
          ...server.strain(),
        ],
      }
    } finally {
      await bare.close()
      await server.stop()
      removeDataDir(dataDir)
    }
  },
}
