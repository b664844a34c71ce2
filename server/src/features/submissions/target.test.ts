import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FoundForm } from '../forms/index.js'
import { type FindTarget, foreseeing } from './target.js'

const question = (formId: string, callerId = 1) =>
  ({ callerId, scope: { kind: 'account', username: 'ana' }, formUuid: null, formId }) as const

/** What was asked, in order; each answer is a form whose id is its place. */
const asking = () => {
  const asked: string[] = []
  const find: FindTarget = async ({ formId }) => [{ id: asked.push(formId ?? '') } as FoundForm]
  return { asked, foresee: foreseeing(find) }
}

const idOf = async (found: ReturnType<FindTarget>) => (await found)[0]?.id

afterEach(() => vi.restoreAllMocks())

describe('the form that a sender is likely to submit to', () => {
  it('is asked for when the third request begins, once, and every request has an answer of its own', async () => {
    const { asked, foresee } = asking()
    for (const place of [1, 2]) {
      const find = foresee('ana')
      expect(asked).toHaveLength(place - 1)
      expect(await idOf(find(question('visit')))).toBe(place)
    }
    for (const place of [3, 4]) {
      const find = foresee('ana')
      expect(asked).toHaveLength(place)
      expect(await idOf(find(question('visit')))).toBe(place)
      expect(asked).toHaveLength(place)
    }
    expect(foresee('ben')).toBeTypeOf('function')
    expect(asked).toHaveLength(4)
  })

  it('is not taken for another form, nor for another caller; and who changes is not foreseen until he stays', async () => {
    const { asked, foresee } = asking()
    const ask = async (formId: string, callerId = 1) => idOf(foresee('ana')(question(formId, callerId)))
    for (const formId of ['visit', 'visit', 'other']) await ask(formId)
    expect(asked).toEqual(['visit', 'visit', 'visit', 'other'])
    asked.length = 0
    await ask('third')
    await ask('visit')
    await ask('third')
    expect(asked).toEqual(['third', 'visit', 'third'])
    await ask('third')
    asked.length = 0
    expect(await ask('third', 2)).toBe(2)
    expect(asked).toEqual(['third', 'third'])
  })

  it('is asked for again when the body took longer than a second: what the sender may do can have changed', async () => {
    const { asked, foresee } = asking()
    for (let request = 0; request < 2; request++) await foresee('ana')(question('visit'))
    const find = foresee('ana')
    expect(asked).toHaveLength(3)
    const now = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(now + 1001)
    expect(await idOf(find(question('visit')))).toBe(4)
  })

  it('that cannot be asked for is heard of by the request that needs it, and by nobody else', async () => {
    let isAway = false
    const foresee = foreseeing(async () => {
      if (isAway) throw new Error('away')
      return []
    })
    for (let request = 0; request < 2; request++) await foresee('ana')(question('visit'))
    isAway = true
    const find = foresee('ana')
    foresee('ana')
    await expect(find(question('visit'))).rejects.toThrow('away')
  })
})
