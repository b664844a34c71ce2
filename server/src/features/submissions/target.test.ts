import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { FoundForm } from '../forms/index.js'
import { type FindTarget, foreseeing } from './target.js'

const question = (formId: string, callerId = 1) =>
  ({ callerId, scope: { kind: 'account', username: 'ana' }, formUuid: null, formId }) as const

const here = () => true

/** What was asked, in order; each answer is a form whose id is its place, but `nothing` finds none. */
const asking = () => {
  const asked: string[] = []
  const find: FindTarget = async ({ formId }, onAsked) => {
    onAsked?.()
    const id = asked.push(formId ?? '')
    return formId === 'nothing' ? [] : [{ id } as FoundForm]
  }
  const foresee = foreseeing(find)
  /** One request, from its beginning until its form is found. */
  const send = async (formId: string, { callerId = 1, sender = 'ana', isHere = here } = {}) => {
    const finder = foresee(sender, isHere)
    const askedEarly = asked.length
    const [form] = await finder(question(formId, callerId))
    return { askedEarly, id: form?.id }
  }
  return { asked, send, foresee }
}

describe('the form that a sender is likely to submit to', () => {
  it('is asked for when the third request begins, once, and every request has an answer of its own', async () => {
    const { asked, send } = asking()
    expect(await send('visit')).toEqual({ askedEarly: 0, id: 1 })
    expect(await send('visit')).toEqual({ askedEarly: 1, id: 2 })
    expect(await send('visit')).toEqual({ askedEarly: 3, id: 3 })
    expect(await send('visit')).toEqual({ askedEarly: 4, id: 4 })
    expect(await send('visit', { sender: 'ben' })).toEqual({ askedEarly: 4, id: 5 })
    expect(asked).toHaveLength(5)
  })

  it('is not taken for another form, nor for another caller; and whoever changes is not foreseen until they stay', async () => {
    const { asked, send } = asking()
    for (const formId of ['visit', 'visit', 'other']) await send(formId)
    expect(asked).toEqual(['visit', 'visit', 'visit', 'other'])
    asked.length = 0
    for (const formId of ['third', 'visit', 'third']) await send(formId)
    expect(asked).toEqual(['third', 'visit', 'third'])
    await send('third')
    asked.length = 0
    expect((await send('third', { callerId: 2 })).id).toBe(2)
    expect(asked).toEqual(['third', 'third'])
  })

  it('is asked for again when the request was not all there: what the sender may do can have changed', async () => {
    const { asked, send } = asking()
    for (let request = 0; request < 2; request++) await send('visit')
    expect(await send('visit', { isHere: () => false })).toEqual({ askedEarly: 3, id: 4 })
    expect(asked).toHaveLength(4)
  })

  it('is not remembered when there is none, or when its id is endless', async () => {
    const { asked, send } = asking()
    for (const formId of ['nothing', 'x'.repeat(251)]) {
      asked.length = 0
      for (let request = 0; request < 4; request++) await send(formId)
      expect(asked).toHaveLength(4)
    }
  })

  it('is remembered without the submission that named it', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const heldMegabytes = () => {
      collect()
      return process.memoryUsage().heapUsed / 2 ** 20
    }
    const { send, asked } = asking()
    const before = heldMegabytes()
    for (let n = 0; n < 100; n++) {
      const xml = Buffer.from(`${'x'.repeat(2 ** 20)}household_visit_${n}`).toString()
      await send(xml.slice(2 ** 20), { sender: `sender ${n}` })
    }
    asked.length = 0
    expect(heldMegabytes() - before).toBeLessThan(30)
  })

  it('that cannot be asked for is heard of by the request that needs it, and by nobody else', async () => {
    let isAway = false
    const foresee = foreseeing(async (_question, onAsked) => {
      onAsked?.()
      if (isAway) throw new Error('away')
      return [{ id: 1 } as FoundForm]
    })
    for (let request = 0; request < 2; request++) await foresee('ana', here)(question('visit'))
    isAway = true
    const find = foresee('ana', here)
    foresee('ana', here)
    await expect(find(question('visit'))).rejects.toThrow('away')
  })
})
