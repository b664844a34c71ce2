import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { Board, type WidgetBody } from '../../../test/support/widgets.js'

const app = testApp()
let board: Board

beforeAll(async () => {
  board = await Board.open(app)
})

const opened = async (key: string) => (await app.call('GET', `/widgets?key=${key}`)).statusCode
const renew = (id: number, by?: Account) => board.call('POST', `/widgets/${id}/key`, undefined, by)
const withdraw = (id: number, by?: Account) => board.call('DELETE', `/widgets/${id}/key`, undefined, by)
const seen = async (id: number): Promise<WidgetBody> => (await board.get(id)).json()

describe('/widgets/{pk}/key', () => {
  it('POST 200 gives a new key, and an old link is not found, as one that never was; the others stay', async () => {
    const [one, other] = [await board.add(), await board.add()]
    const answer = await renew(one.id)
    const { key, ...rest } = answer.json<WidgetBody>()
    expect([answer.statusCode, key]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(key).not.toBe(one.key)
    expect(rest).toMatchObject({ id: one.id, title: one.title, column: one.column, order: one.order })
    expect(await Promise.all([one.key, key, other.key].map(opened))).toEqual([404, 200, 200])
    const [old, never] = [
      await app.call('GET', `/widgets?key=${one.key}`),
      await app.call('GET', `/widgets?key=${'0'.repeat(32)}`),
    ]
    expect(old.json()).toEqual(never.json())
    expect((await seen(one.id)).key).toBe(key)
  })

  it('DELETE 204 withdraws it, twice too: it has none then, until it is given a new one, or saved', async () => {
    const { id, key } = await board.add()
    expect([(await withdraw(id)).statusCode, (await withdraw(id)).statusCode]).toEqual([204, 204])
    expect([await opened(key), (await seen(id)).key]).toEqual([404, undefined])
    const { key: second } = (await renew(id)).json<WidgetBody>()
    expect([await opened(key), await opened(second)]).toEqual([404, 200])
    await withdraw(id)
    const { key: third } = (await board.patch(id, { title: 'Saved' })).json<WidgetBody>()
    expect(await Promise.all([key, second, third].map(opened))).toEqual([404, 404, 200])
  })

  it('the new key acts for whoever renewed it, and stops with their right', async () => {
    const editor = await board.person('editor')
    const { id } = await board.add()
    const { key } = (await renew(id, editor)).json<WidgetBody>()
    expect(await opened(key)).toBe(200)
    await board.call('POST', `/forms/${board.form.id}/share`, { username: editor.username, role: 'readonly' })
    expect(await opened(key)).toBe(404)
  })

  it('401 anonymous, 403 for readers and for those who see a part, 404 for strangers; nothing changes', async () => {
    const { id, key } = await board.add()
    const [reader, part, stranger] = [
      await board.person('readonly'),
      await board.person('editor-minor'),
      await app.account(),
    ]
    for (const [method, act] of [
      ['POST', renew],
      ['DELETE', withdraw],
    ] as const) {
      expect((await app.call(method, `/widgets/${id}/key`)).statusCode).toBe(401)
      expect((await act(id, reader)).statusCode).toBe(403)
      expect((await act(id, part)).statusCode).toBe(403)
      expect((await act(id, stranger)).statusCode).toBe(404)
      expect((await act(999_999_999)).statusCode).toBe(404)
    }
    expect([await opened(key), (await seen(id)).key]).toEqual([200, key])
  })
})
