// The server with everything outside set to something else than the default.
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, workplace } from '../support/process.js'
import { startSmtpStandIn } from '../support/smtp.js'

let place: Awaited<ReturnType<typeof workplace>>
let smtp: Awaited<ReturnType<typeof startSmtpStandIn>>
let server: ServerProcess
let metricsPort: number

const freePort = async (): Promise<number> => {
  const socket = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => socket.once('listening', resolve))
  const { port } = socket.address() as AddressInfo
  await new Promise((resolve) => socket.close(resolve))
  return port
}

beforeAll(async () => {
  place = await workplace({ hasDatabase: true })
  smtp = await startSmtpStandIn()
  metricsPort = await freePort()
  server = await place
    .start({
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Field office <office@example.org>',
      FILES_URL: join(place.folder, 'elsewhere'),
      METRICS_PORT: String(metricsPort),
      DATABASE_POOL_SIZE: '2',
      DATABASE_RECEIVING_POOL_SIZE: '1',
      ENABLE_EMAIL_VERIFICATION: 'true',
    })
    .ready()
})
afterAll(async () => {
  await place.clean()
  await smtp.close()
})

describe('settings', () => {
  it('SMTP_URL and MAIL_FROM: mails go there, from there, and none into the outbox', async () => {
    expect((await server.register('ana')).status).toBe(201)
    while (smtp.messages.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(smtp.messages[0]).toMatchObject({ from: 'office@example.org', to: ['ana@example.org'] })
    expect(smtp.messages[0]?.raw).toContain('verification_key=')
    expect(existsSync(join(place.folder, 'outbox'))).toBe(false)
  })

  it('FILES_URL: files are kept there', async () => {
    expect(await (await server.call('/readyz')).json()).toMatchObject({ files: 'ok' })
    expect([existsSync(join(place.folder, 'elsewhere')), existsSync(join(place.folder, 'files'))]).toEqual([
      true,
      false,
    ])
  })

  it('METRICS_PORT, DATABASE_POOL_SIZE and DATABASE_RECEIVING_POOL_SIZE: thirty requests at once share two connections, one is kept', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => server.call('/api/v1/profiles/ana')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(Number(/^sheaf_database_connections_requests (\d+)$/m.exec(metrics)?.[1])).toBeLessThanOrEqual(3)
  })
})
