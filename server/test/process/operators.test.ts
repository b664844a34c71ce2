// From an empty folder to an operator: by the address that the server prints, or by a command.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, sheaf, workplace } from '../support/process.js'

let place: Awaited<ReturnType<typeof workplace>>

beforeAll(async () => {
  place = await workplace()
})
afterAll(() => place.clean())

const basic = (name: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:correct horse`).toString('base64')}`,
})

const setUp = (server: ServerProcess, code: string, username: string) =>
  server.call('/accounts/setup', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ code, name: 'Ana', username, email: `${username}@example.org`, password: 'correct horse' }),
  })

const seesServer = async (server: ServerProcess, name: string) =>
  (await server.call('/api/v1/server', { headers: basic(name) })).status

describe('the first account', () => {
  it('is made once with the code that the server prints, by however many processes answer, and is an operator’s', async () => {
    const server = await place.start({ WORKERS: '2' }).ready()
    const code = new RegExp(`open\\n +${server.address}/setup\\?code=(\\S+)\\n`).exec(server.output)?.[1] ?? ''
    expect(code).toMatch(/^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/)
    expect(await (await server.call('/accounts/setup', {})).json()).toEqual({ needed: true })
    expect((await setUp(server, '2222-2222-2222', 'ana')).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => setUp(server, code, `ana${at}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    const { username } = await (answers.find(({ status }) => status === 201) as Response).json()
    for (let at = 0; at < 4; at++) expect(await seesServer(server, username)).toBe(200)
    expect(await (await server.call('/accounts/setup', {})).json()).toEqual({ needed: false })
    expect(await server.end('SIGTERM')).toBe(0)
    const again = await place.start().ready()
    expect(again.output).toContain('1 account.\n')
    expect(again.output).not.toContain(code)
    expect(await again.end('SIGTERM')).toBe(0)
  })
})

describe('sheaf user', () => {
  it('create --operator, operator, and operator --remove: the running server heeds each at once', async () => {
    const env = { DATA_DIR: place.folder }
    const server = await place.start().ready()
    const args = ['user', 'create', '--username', 'boss', '--email', 'boss@example.org', '--password-stdin']
    const made = await sheaf([...args, '--operator'], env, 'correct horse')
    expect(made).toMatchObject({ code: 0, stdout: `The account boss, of an operator, was made in ${place.folder}.\n` })
    expect(await seesServer(server, 'boss')).toBe(200)
    const removed = await sheaf(['user', 'operator', 'boss@example.org', '--remove'], env)
    expect(removed).toMatchObject({ code: 0, stdout: 'boss is no operator any more.\n' })
    expect(await seesServer(server, 'boss')).toBe(404)
    expect((await sheaf(['user', 'operator', 'BOSS'], env)).stdout).toContain('boss is an operator')
    expect(await seesServer(server, 'boss')).toBe(200)
    expect(await sheaf(['user', 'operator', 'nobody'], env)).toMatchObject({
      code: 1,
      stderr: 'There is no account with the name nobody.\n',
    })
    expect((await sheaf(['verify'], env)).code).toBe(0)
    // The reading of a moment ago is kept for some seconds.
    await expect
      .poll(async () => {
        const answer = await server.call('/api/v1/server', { headers: basic('boss') })
        return (await answer.json()).verified
      })
      .toMatchObject({ differences: 0 })
    expect(await server.end('SIGTERM')).toBe(0)
  })
})
