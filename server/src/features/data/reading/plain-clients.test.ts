import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { put, useForm } from '../../../../test/support/data.js'

const app = testApp()
const place = useForm(app)
let port: number
beforeAll(async () => {
  await put(app, place.form, { answers: { name: 'Amina' } })
  port = Number(new URL(await app.http.app.listen({ host: '127.0.0.1', port: 0 })).port)
})

/** As the bytes stand on the wire. */
const ask = async (line: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${line}\r\nHost: localhost\r\nAuthorization: Token ${place.ana.apiToken}\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

describe('clients that take no trailers', () => {
  it.each(['csv', 'xlsx', 'csvzip', 'kml'])(
    '200 with the whole %s over HTTP/1.0, as proxies ask for it',
    async (format) => {
      const answer = await ask(`GET /api/v1/data/${place.form.id}.${format} HTTP/1.0`)
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
      expect(answer).not.toMatch(/^trailer:/im)
      if (format === 'csv') expect(answer).toContain('Amina')
    },
  )

  it('200 with the headers alone for HEAD', async () => {
    const answer = await ask(`HEAD /api/v1/data/${place.form.id}.csv HTTP/1.1`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(/^content-disposition: attachment; filename="form_\w+\.csv"/im)
    expect(answer.split('\r\n\r\n')[1]).toBe('')
  })
})
