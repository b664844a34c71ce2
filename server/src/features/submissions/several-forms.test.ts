// Records of several forms that arrive at once are stored by one statement. It stores what a statement for each form does.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, type TestApp, testApp } from '../../../test/support/app.js'
import { makeCluster } from '../../../test/support/citus/stand-in.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { oneMachine, sql } from '../../platform/db/index.js'
import type { Premise } from './premise.js'
import { type FormBatch, insertOfForms } from './receive.queries.js'
import type { Derived, NewSubmission } from './submission.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const publishMany = (names: readonly string[]): Promise<PublishedForm[]> =>
  Promise.all(names.map((name) => publish(app, ana, visitSheet({ form_id: name, version: '1' }))))

/** How many forms each change is of, and how many records there are. */
const storedIn = (at: TestApp, forms: readonly PublishedForm[]) =>
  at.database.db.rows<{ forms: number; records: number }>(sql`
    select count(distinct form_id)::int as forms, count(*)::int as records from submissions
    where form_id = any(${forms.map(({ formid }) => formid)}::int[]) group by change_no`)

const total = (counts: readonly { readonly records: number }[]): number =>
  counts.reduce((sum, { records }) => sum + records, 0)

describe('what arrives at once for several forms', () => {
  it('is stored together: 201 for each, and one change for several forms', async () => {
    const forms = await publishMany(['a1', 'a2', 'a3', 'a4'])
    const all = Array.from({ length: 40 }, (_, at) => forms[at % forms.length] as PublishedForm)
    const answers = await Promise.all(all.map((form) => send(app, ana, '', instance(form, '<name>n</name>'))))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(all.map(() => 201))
    const stored = await storedIn(app, forms)
    expect(total(stored)).toBe(all.length)
    expect(Math.max(...stored.map((one) => one.forms))).toBeGreaterThan(1)
  })
})

interface Made {
  readonly form: number
  /** Of few: some are the same. */
  readonly id: number
  readonly premise: 'none' | 'holds' | 'other version' | 'other token' | 'other form'
  readonly place: boolean
}

const made = fc.array(
  fc.record<Made>({
    form: fc.nat(3),
    id: fc.nat(6),
    premise: fc.constantFrom('none', 'holds', 'holds', 'other version', 'other token', 'other form'),
    place: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
)

describe('one statement for several forms', () => {
  interface Side {
    readonly forms: readonly PublishedForm[]
    readonly premises: readonly Premise[]
  }
  let tokenHash: string

  /** The last is closed, and the first has a service. */
  const side = async (name: string): Promise<Side> => {
    const forms = await publishMany([0, 1, 2, 3].map((number) => `${name}${number}`))
    const last = forms.at(-1) as PublishedForm
    expect((await app.as(ana)('PATCH', `/forms/${last.formid}`, { body: { downloadable: false } })).statusCode).toBe(
      200,
    )
    const [{ formid } = last] = forms
    const service = { xform: formid, name: 'generic_json', service_url: 'https://receiver.example.org/' }
    expect((await app.as(ana)('POST', '/restservices', { body: service })).statusCode).toBe(201)
    const premises = forms.map(({ uuid, id_string }): Premise => {
      const none = { names: null, address: null, token_id: null, key_name: null, scope_project: null, public_key: '' }
      const names = { username: 'ana', scope_owner: 'ana', form_owner: 'ana' }
      const by = { kind: 'api', hash: tokenHash, user_id: ana.id, may_by: 'anybody', version_number: 1 } as const
      return { ...none, ...names, ...by, uuid, id_string }
    })
    return { forms, premises }
  }

  const premiseOf = ({ form, premise }: Made, { premises }: Side): Premise | undefined => {
    const own = premises[form] as Premise
    if (premise === 'none') return undefined
    if (premise === 'other version') return { ...own, version_number: 2 }
    if (premise === 'other token') return { ...own, hash: 'another' }
    if (premise === 'other form') return { ...own, uuid: (premises[(form + 1) % 3] as Premise).uuid }
    return own
  }

  const partsOf = (all: readonly Made[], at: Side): FormBatch[] =>
    [0, 1, 2, 3].flatMap((number) => {
      const own = all.filter(({ form }) => form === number)
      const { formid, id_string } = at.forms[number] as PublishedForm
      const batch = own.map((one): NewSubmission => {
        const place = { latitude: one.place ? 1.5 : null, longitude: one.place ? 2.5 : null }
        const read = { uuid: `i${one.id}`, answers: '{"name":"n"}', version: '1', modelNumber: 1, rootName: 'data' }
        const derived: Derived = { ...read, ...place, duration: null, media: new Map() }
        const sent = { xml: '<data/>', status: 'submitted_via_web', submittedAt: new Date(0), submittedBy: ana.id }
        const premise = premiseOf(one, at)
        return { derived, files: [], ...sent, ...(premise && { premise }) }
      })
      return batch.length === 0 ? [] : [{ form: { id: formid, owner: 'ana', idString: id_string }, batch }]
    })

  /** Everything that a batch leaves behind, by the number of the form in its side; then it is taken away. */
  const leftBy = async ({ forms }: Side) => {
    const ids = forms.map(({ formid }) => formid)
    const numbered = sql`array_position(${ids}::int[], form_id)`
    const of = sql`where form_id = any(${ids}::int[])`
    const { db } = app.database
    const left = {
      records: await db.rows(sql`
        select ${numbered} as form, uuid, xml, answers, version, status, latitude, submitted_by from submissions ${of}
        order by 1, 2`),
      ids: await db.rows(sql`select ${numbered} as form, uuid from instance_ids ${of} order by 1, 2`),
      counts: await db.rows(sql`
        select ${numbered} as form, version, slot, submissions, last_submitted_at, has_places, has_devices
        from form_counts ${of} and submissions > 0 order by 1, 2, 3`),
      events: await db.rows(sql`
        select ${numbered} as form, cardinality(ids) as ids, user_id from form_events ${of}
          and verb = 'submission_created' order by 1`),
      deliveries: await db.rows(sql`select ${numbered} as form, cause from deliveries ${of} order by 1`),
    }
    for (const table of [sql`submissions`, sql`instance_ids`, sql`form_counts`, sql`form_events`, sql`deliveries`]) {
      await db.run(sql`delete from ${table} ${of}`)
    }
    return left
  }

  let shared: Side
  let apart: Side

  beforeAll(async () => {
    tokenHash = (
      await app.database.db.one<{ hash: string }>(sql`
        select token_hash as hash from api_tokens where user_id = ${ana.id}`)
    ).hash
    shared = await side('s')
    apart = await side('t')
  })

  const store = async (at: Side, all: readonly Made[], isOneMachine: boolean) => {
    const moment = { slot: 3, now: new Date(1_000), isOneMachine }
    const outcomes = await insertOfForms(app.database.db, moment, partsOf(all, at))
    return outcomes.map((some) => some.map(({ id, isTaking }) => ({ isNew: id !== null, isTaking })))
  }

  it('stores and answers the same as one for each', async () => {
    await fc.assert(
      fc.asyncProperty(made, async (all) => {
        const outcomes = [await store(shared, all, true), await store(apart, all, false)]
        const left = [await leftBy(shared), await leftBy(apart)]
        expect(outcomes[0]).toEqual(outcomes[1])
        expect(left[0]).toEqual(left[1])
      }),
      { numRuns: 40 },
    )
  })

  it.each([true, false])('takes the first of equal ids (one machine: %s)', async (isOneMachine) => {
    const ids = Array.from({ length: 40 }, (_, at) => (at * 3) % 7)
    const all = [0, 1].flatMap((form) => ids.map((id): Made => ({ form, id, premise: 'none', place: false })))
    const outcomes = await store(shared, all, isOneMachine)
    await leftBy(shared)
    const isFirst = ids.map((id, at) => ids.indexOf(id) === at)
    expect(outcomes.map((some) => some.map(({ isNew }) => isNew))).toEqual([isFirst, isFirst])
  })
})

describe('a database on several machines', () => {
  const distributed = testApp()

  it('has a statement for each form', async () => {
    const { db } = distributed.database
    expect(await oneMachine(db)()).toBe(true)
    await makeCluster(distributed.database)
    expect(await oneMachine(db)()).toBe(false)
    const bea = await distributed.account({ username: 'bea' })
    const forms = await Promise.all(
      ['b1', 'b2', 'b3'].map((name) => publish(distributed, bea, visitSheet({ form_id: name, version: '1' }))),
    )
    const ids = Array.from({ length: 12 }, newId)
    const answers = await Promise.all(
      ids.map((id, at) =>
        send(distributed, bea, '', instance(forms[at % 3] as PublishedForm, '<name>n</name>', { id })),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(ids.map(() => 201))
    const stored = await storedIn(distributed, forms)
    expect([total(stored), Math.max(...stored.map((one) => one.forms))]).toEqual([ids.length, 1])
  })
})
