import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, put, useForm } from '../../../../test/support/data.js'
import { type Db, sql } from '../../../platform/db/index.js'

const app = testApp()
const place = useForm(app)

type DataRecord = Record<string, unknown>

interface Answer {
  records: DataRecord[]
  cursor: string
}

const changesOf = async (account: Account, pk: number, cursor: string, more = ''): Promise<Answer> => {
  const response = await app.as(account)('GET', `/data/${pk}?changed_since=${cursor}${more}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  const [, next = ''] = /^<[^>]*changed_since=([\d-]+)[^>]*>; rel="next"$/.exec(String(response.headers.link)) ?? []
  return { records: response.json(), cursor: next }
}

describe('GET /data/{pk}?changed_since', () => {
  it('200 with what was created, edited, reviewed, tagged or deleted since, oldest change first, and the next cursor', async () => {
    const [a = 0, b = 0, c = 0] = await put(app, place.form, { answers: { name: 'a' } }, {}, {})
    const first = await changesOf(place.ana, place.form.id, '0')
    expect(first.records.map(({ _id }) => _id)).toEqual([a, b, c])
    expect(await changesOf(place.ana, place.form.id, first.cursor)).toEqual({ records: [], cursor: first.cursor })
    await app.as(place.ana)('POST', `/data/${place.form.id}/${b}/labels`, { body: { tags: 'x' } })
    await app.as(place.ana)('DELETE', `/data/${place.form.id}/${a}`)
    const second = await changesOf(place.ana, place.form.id, first.cursor)
    const gone = { _id: a, _uuid: expect.any(String), _deleted_at: expect.stringMatching(/\+00:00$/) }
    expect(second.records).toEqual([expect.objectContaining({ _id: b, _tags: ['x'], _deleted_at: null }), gone])
    // Which fields are asked for makes no difference.
    expect((await changesOf(place.ana, place.form.id, first.cursor, '&fields=["_id","name"]')).records.at(-1)).toEqual(
      gone,
    )
    await app.as(place.ana)('POST', `/data/${place.form.id}/${a}/restore`)
    expect((await changesOf(place.ana, place.form.id, second.cursor)).records).toMatchObject([
      { _id: a, _deleted_at: null },
    ])
    expect((await changesOf(place.ana, place.form.id, second.cursor, '&fields=["_id"]')).records).toEqual([{ _id: a }])
  })

  it('pages by limit lose nothing, also within one change of many records', async () => {
    const { ana: owner, form: full } = await newForm(app)
    const ids = await put(app, full, ...Array.from({ length: 7 }, () => ({})))
    await app.as(owner)('DELETE', `/data/${full.id}`, { body: { delete_all: true } })
    const told: unknown[] = []
    let cursor = '0'
    for (let turn = 0; turn < 10; turn++) {
      const answer = await changesOf(owner, full.id, cursor, '&limit=3')
      told.push(...answer.records.map(({ _id }) => _id))
      expect(answer.records.length).toBeLessThanOrEqual(3)
      if (answer.records.length === 0) break
      cursor = answer.cursor
    }
    expect(told).toEqual(ids)
  })

  it('400 for a cursor that is none, and together with what would hide changes', async () => {
    const get = (query: string) => app.as(place.ana)('GET', `/data/${place.form.id}?${query}`)
    for (const cursor of ['x', '-1', '1-', '1.5', '9'.repeat(30)]) {
      expect((await get(`changed_since=${cursor}`)).statusCode).toBe(400)
    }
    expect((await get('changed_since=0&query={}&sort=name')).json()).toEqual({
      detail: 'changed_since cannot be combined with query, sort.',
    })
    expect((await get('changed_since=0&limit=-1')).statusCode).toBe(400)
    expect((await changesOf(place.ana, place.form.id, '999999999')).cursor).toBe('999999999')
  })

  it('404 for a stranger; one’s own changes for dataentry-minor', async () => {
    const [stranger, minor] = [await app.account(), await app.account()]
    await giveRole(app, place.form, minor, 'dataentry-minor')
    const [own] = await put(app, place.form, { by: minor.id })
    expect((await app.as(stranger)('GET', `/data/${place.form.id}?changed_since=0`)).statusCode).toBe(404)
    expect((await changesOf(minor, place.form.id, '0')).records.map(({ _id }) => _id)).toEqual([own])
  })
})

/** A transaction that is ended from outside, so that the order of commits is chosen. */
const openTransaction = (work: (tx: Db) => Promise<void>) => {
  let end: (isKept: boolean) => void = () => undefined
  const ending = new Promise<boolean>((resolve) => {
    end = resolve
  })
  let wrote: () => void = () => undefined
  const writing = new Promise<void>((resolve) => {
    wrote = resolve
  })
  const done = app.deps.db
    .transaction(async (tx) => {
      await work(tx)
      wrote()
      if (!(await ending)) throw new Error('rolled back')
    })
    .catch(() => undefined)
  return { writing, done, end }
}

const change = (pk: number, id: number, value: string) => (tx: Db) =>
  tx
    .run(sql`
      update submissions set answers = jsonb_build_object('name', ${value}::text), change_no = next_change()
      where form_id = ${pk} and id = ${id}`)
    .then(() => undefined)

/** Writers that each change one record, and commit or roll back when they are told. */
class Writers {
  readonly #open = new Map<number, ReturnType<typeof openTransaction>>()
  readonly #pk: number
  readonly #ids: readonly number[]
  #value = 0

  constructor(pk: number, ids: readonly number[]) {
    this.#pk = pk
    this.#ids = ids
  }

  async turn(writer: number, isKept: boolean): Promise<void> {
    if (this.#open.has(writer)) return this.#end(writer, isKept)
    const begun = openTransaction(change(this.#pk, this.#ids[writer] as number, `value ${++this.#value}`))
    await begun.writing
    this.#open.set(writer, begun)
  }

  async #end(writer: number, isKept: boolean): Promise<void> {
    const transaction = this.#open.get(writer)
    transaction?.end(isKept)
    await transaction?.done
    this.#open.delete(writer)
  }

  async endAll(): Promise<void> {
    for (const writer of [...this.#open.keys()]) await this.#end(writer, true)
  }
}

/** What somebody knows who reads a few changes at a time. */
class Follower {
  readonly known = new Map<unknown, unknown>()
  readonly #account: Account
  readonly #pk: number
  #cursor = '0'

  constructor(account: Account, pk: number) {
    this.#account = account
    this.#pk = pk
  }

  async read(): Promise<number> {
    const answer = await changesOf(this.#account, this.#pk, this.#cursor, '&limit=3')
    for (const record of answer.records) {
      if (record._deleted_at === null) this.known.set(record._id, record.name)
      else this.known.delete(record._id)
    }
    this.#cursor = answer.cursor
    return answer.records.length
  }

  async readAll(): Promise<void> {
    for (let left = 1; left > 0; left = await this.read());
  }
}

const presentIn = async (account: Account, pk: number) => {
  const records: DataRecord[] = (await app.as(account)('GET', `/data/${pk}`)).json()
  return records.map(({ _id, name }) => [_id, name]).sort()
}

describe('a reader who follows the cursor', () => {
  it('never misses a change, whatever commits in which order', async () => {
    const count = 6
    const step = fc.record({ writer: fc.nat({ max: count - 1 }), isKept: fc.boolean(), isRead: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
        const { ana: owner, form: busy } = await newForm(app)
        const ids = await put(app, busy, ...Array.from({ length: count }, () => ({})))
        const writers = new Writers(busy.id, ids)
        const follower = new Follower(owner, busy.id)
        for (const { writer, isKept, isRead } of steps) {
          await writers.turn(writer, isKept)
          if (isRead) await follower.read()
        }
        await writers.endAll()
        await follower.readAll()
        expect([...follower.known].sort()).toEqual(await presentIn(owner, busy.id))
      }),
      { numRuns: 12 },
    )
  })

  it('ends with what the list has, while eight writers create, change and delete at once', async () => {
    const { ana: owner, form: busy } = await newForm(app)
    const follower = new Follower(owner, busy.id)
    let isDone = false
    const following = (async () => {
      while (!isDone) await follower.read()
    })()
    const write = async (writer: number) => {
      for (let turn = 0; turn < 12; turn++) {
        const [id = 0] = await put(app, busy, { answers: { name: `${writer}:${turn}` } })
        await app.deps.db.transaction(change(busy.id, id, `${writer}:${turn} changed`))
        if (turn % 3 === 0) await app.as(owner)('DELETE', `/data/${busy.id}/${id}`)
      }
    }
    try {
      await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    } finally {
      isDone = true
      await following
    }
    await follower.readAll()
    const present = await presentIn(owner, busy.id)
    expect(present).toHaveLength(64)
    expect([...follower.known].sort()).toEqual(present)
  })
})
