import { describe, expect, it } from 'vitest'
import { batched, coalesced, oncePerTurn } from './index.js'

/** Promises that the test settles itself. */
const gate = () => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('batched', () => {
  it('what arrives at once goes together; what arrives meanwhile makes the next batch; each hears its own result', async () => {
    const runs: number[][] = []
    const first = gate()
    const add = batched<number, string>(
      async (_key, items) => {
        runs.push([...items])
        if (runs.length === 1) await first.opened
        return items.map((item) => `done ${item}`)
      },
      { mostItems: 10, lanes: 1 },
    )
    const early = [add(1, 1), add(1, 2)]
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    const late = [add(1, 3), add(1, 4)]
    first.open()
    expect(await Promise.all([...early, ...late])).toEqual(['done 1', 'done 2', 'done 3', 'done 4'])
    expect(runs).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('keys do not wait for each other, and no batch is larger than allowed', async () => {
    const runs: string[] = []
    const add = batched<number, number>(
      async (key, items) => {
        runs.push(`${key}: ${items.join(' ')}`)
        return [...items]
      },
      { mostItems: 2, lanes: 1 },
    )
    await Promise.all([add(1, 1), add(1, 2), add(1, 3), add(2, 4)])
    expect(runs.sort()).toEqual(['1: 1 2', '1: 3', '2: 4'])
  })

  it('what fails fails for all of its batch, and for no other', async () => {
    const add = batched<number, number>(
      async (_key, items) => {
        if (items.includes(13)) throw new Error('bad')
        return [...items]
      },
      { mostItems: 2, lanes: 1 },
    )
    const settled = await Promise.allSettled([add(1, 1), add(1, 13), add(1, 2)])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  })
})

describe('coalesced', () => {
  it('equal questions are asked once; one that comes while it is under way is asked again', async () => {
    const asked: string[] = []
    const first = gate()
    const ask = coalesced<string, string>(
      (question) => question,
      async (question) => {
        asked.push(question)
        const place = asked.length
        if (place === 1) await first.opened
        return `${question} ${place}`
      },
    )
    const early = [ask('a'), ask('a')]
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    const late = [ask('a'), ask('a'), ask('b')]
    first.open()
    const answers = await Promise.all([...early, ...late])
    expect(answers.slice(0, 2)).toEqual(['a 1', 'a 1'])
    expect(answers[2]).toBe(answers[3])
    expect(answers[2]).not.toBe('a 1')
    expect(asked.filter((question) => question === 'a')).toHaveLength(2)
  })

  it('a question that fails is forgotten', async () => {
    let isBroken = true
    const ask = coalesced<string, string>(
      (question) => question,
      async (question) => {
        if (isBroken) throw new Error('broken')
        return question
      },
    )
    await expect(ask('a')).rejects.toThrow('broken')
    isBroken = false
    expect(await ask('a')).toBe('a')
  })
})

describe('oncePerTurn', () => {
  it('equal questions of one turn are asked once; later ones at once, whether one is under way or not', async () => {
    const asked: string[] = []
    const first = gate()
    const ask = oncePerTurn<string, number>(
      (question) => question,
      async (question) => {
        const place = asked.push(question)
        if (place === 1) await first.opened
        return place
      },
    )
    const early = [ask('a'), ask('a')]
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([2, 2, 3])
    first.open()
    expect(await Promise.all(early)).toEqual([1, 1])
  })

  it('what fails fails for all who asked, and is asked again later', async () => {
    let times = 0
    const ask = oncePerTurn<string, number>(String, async () => {
      times += 1
      if (times === 1) throw new Error('away')
      return times
    })
    const settled = await Promise.allSettled([ask('a'), ask('a')])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await ask('a')).toBe(2)
  })
})
