// Somebody is taken out while their service has much to send: real calls, a real loop, no waiting in between.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { newProject, share } from '../../../test/support/projects.js'
import { type Receiver, startReceiver } from '../../../test/support/receivers.js'
import { Forwarding } from '../../../test/support/rest-services.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'
import type { Outbound } from '../../platform/outbound/index.js'
import { readRecords } from './records.queries.js'
import { startSender } from './sender.js'
import { Turns } from './turns.js'

const app = testApp()
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  await app.deps.db.run(sql`delete from rest_services`)
  await receiver.close()
})

const open = async () => {
  const [owner, manager] = [await app.account(), await app.account()]
  const forwarding = await Forwarding.open(app, owner, await newProject(app, owner))
  await share(app, owner, forwarding.project, manager.username, 'manager')
  const made = await app.as(manager)('POST', '/restservices', {
    body: { xform: forwarding.form.formid, name: 'generic_json', service_url: receiver.url },
  })
  const remove = () =>
    app.as(owner)('PUT', `/projects/${forwarding.project}/share`, {
      body: { username: manager.username, role: 'manager', remove: true },
    })
  return { forwarding, id: made.json().id as number, remove }
}

/** A turn whose calls get their connections when they are let through, so long after their claim. */
const heldTurns = (milliseconds: number) => {
  const claimedAt = new Date()
  let moment = claimedAt
  let connect = () => {}
  const connected = new Promise<void>((resolve) => {
    connect = resolve
  })
  const outbound: Outbound = {
    ...app.deps.outbound,
    call: async (call) => {
      await connected
      return app.deps.outbound.call(call)
    },
  }
  const later = () => {
    moment = new Date(claimedAt.getTime() + milliseconds)
    connect()
  }
  const clock = { now: () => moment }
  return { turns: new Turns({ ...app.deps, outbound, clock }, readRecords), connect: later }
}

const settled = async (turns: Turns) => {
  await turns.settle()
  await turns.writeResults()
}

describe('whoever is taken out', () => {
  it('does not get what was claimed for them budgets.forwarding.freshMs ago; it waits, and was no try', async () => {
    const { forwarding, id, remove } = await open()
    for (const name of ['a', 'b', 'c']) await forwarding.submit(name)
    const { turns, connect } = heldTurns(budgets.forwarding.freshMs)
    expect(await turns.take()).toBe(3)
    expect((await remove()).statusCode).toBe(204)
    connect()
    await settled(turns)
    expect(receiver.calls).toEqual([])
    expect(await forwarding.deliveries(id)).toMatchObject(
      Array(3).fill({ state: 'pending', tries: 0, last_error: null }),
    )
    await forwarding.call('PATCH', `/restservices/${id}`, { active: true })
    await app.forward()
    expect(receiver.calls).toHaveLength(3)
  })

  it('may get what has its connection within budgets.forwarding.freshMs of its claim: that is not asked for again', async () => {
    const { forwarding, remove } = await open()
    await forwarding.submit('a')
    const { turns, connect } = heldTurns(budgets.forwarding.freshMs - 1)
    expect(await turns.take()).toBe(1)
    expect((await remove()).statusCode).toBe(204)
    connect()
    await settled(turns)
    expect(receiver.calls).toHaveLength(1)
  })

  it('a service that was switched off or deleted meanwhile gets nothing either', async () => {
    for (const [method, body] of [['PATCH', { active: false }], ['DELETE']] as const) {
      const { forwarding, id } = await open()
      await forwarding.submit('a')
      const { turns, connect } = heldTurns(budgets.forwarding.freshMs)
      expect(await turns.take()).toBe(1)
      await forwarding.call(method, `/restservices/${id}`, body)
      connect()
      await settled(turns)
      expect(receiver.calls).toEqual([])
    }
  })

  it('gets nothing behind the answer to their removal that was not on the wire, while hundreds are being sent', async () => {
    for (let round = 0; round < 6; round++) {
      const { forwarding, id, remove } = await open()
      for (let n = 0; n < 4; n++)
        await Promise.all(Array.from({ length: 25 }, (_, k) => forwarding.submit(`${n} ${k}`)))
      let arrived = 0
      receiver.answer = (_call, response) => {
        arrived += 1
        setTimeout(() => response.end(), 1)
      }
      /** When each call that was let through had its connection and was about to be written. */
      const passed: number[] = []
      const outbound: Outbound = {
        ...app.deps.outbound,
        call: ({ confirm, ...call }) => {
          const asked = async () => {
            const at = performance.now()
            await confirm?.()
            passed.push(at)
          }
          return app.deps.outbound.call({ ...call, confirm: asked })
        },
      }
      const senders = [1, 2].map(() => startSender({ ...app.deps, outbound }, readRecords, { pollMilliseconds: 20 }))
      const before = receiver.calls.length
      await receiver.until((calls) => calls.length >= before + 5 + round * 5)
      expect((await remove()).statusCode).toBe(204)
      const removedAt = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 150))
      await Promise.all(senders.map((sender) => sender.stop()))
      expect(passed.filter((at) => at > removedAt + budgets.forwarding.freshMs)).toEqual([])
      expect(passed).toHaveLength(arrived)
      const rows = await app.deps.db.rows<{ state: string; count: number }>(sql`
        select state, count(*)::int as count from deliveries where service_id = ${id} group by state order by state`)
      const counts = new Map(rows.map(({ state, count }) => [state, count]))
      expect(counts.get('pending')).toBeGreaterThan(0)
      expect((counts.get('pending') ?? 0) + (counts.get('delivered') ?? 0)).toBe(100)
      expect(counts.get('delivered')).toBe(arrived)
    }
  }, 60_000)
})
