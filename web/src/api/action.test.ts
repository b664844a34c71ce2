import { PiniaColada } from '@pinia/colada'
import { createPinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from 'vue'
import { toasts } from '@/base/toasts'
import { type ActionOptions, useAction } from './action'
import { errorOf } from './errors'

interface Role {
  readonly user: string
  readonly role: string
  readonly before: string
}
const role = (user: string, given: string, before = 'none'): Role => ({ user, role: given, before })

/** An action whose calls are answered one by one, by the test. */
const slowAction = (options: Partial<ActionOptions<Role, unknown>> = {}) => {
  const called: string[] = []
  const answers: { done: () => void; fail: () => void }[] = []
  const undone: string[] = []
  const action = createApp({})
    .use(createPinia())
    .use(PiniaColada, {})
    .runWithContext(() =>
      useAction<Role>({
        run: ({ user, role: given }) => {
          called.push(`${user} ${given}`)
          return new Promise((resolve, reject) =>
            answers.push({ done: () => resolve(null), fail: () => reject(new Error('no')) }),
          )
        },
        done: (_, { user, role: given }) => `${user} is ${given}`,
        undo: async (_, { user, before }) => undone.push(`${user} ${before}`),
        ...options,
      }),
    )
  /** Answers the one under way, and waits for the next, or for the end. */
  const answer = async (how: 'done' | 'fail' = 'done') => {
    const before = called.length
    answers.shift()?.[how]()
    await expect.poll(() => called.length > before || !action.isBusy.value).toBe(true)
  }
  return { action, called, answer, undone }
}
const setsRole: Partial<ActionOptions<Role, unknown>> = {
  asks: ({ user, role: given }) => [user, given],
  follows: (next, { role: before }) => ({ ...next, before }),
}

beforeEach(() => {
  toasts.value = []
})

describe('what is asked for while an action is under way', () => {
  it('a second click of what is done once does nothing', async () => {
    const { action, called, answer } = slowAction()
    void action.go(role('ana', 'owner'))
    void action.go(role('ana', 'owner'))
    await answer()
    expect(called).toEqual(['ana owner'])
    expect(action.isBusy.value).toBe(false)
  })

  it('of values of the same thing the last wins, and those between are never sent', async () => {
    const { action, called, answer } = slowAction(setsRole)
    const ended = action.go(role('ana', 'editor'))
    void action.go(role('ana', 'manager'))
    void action.go(role('ana', 'owner'))
    await answer()
    expect(action.isBusy.value).toBe(true)
    await answer()
    await ended
    expect(called).toEqual(['ana editor', 'ana owner'])
    expect(toasts.value.map(({ text }) => text)).toEqual(['ana is editor', 'ana is owner'])
  })

  it('the same value again does nothing, and takes back what waited', async () => {
    const { action, called, answer } = slowAction(setsRole)
    void action.go(role('ana', 'editor'))
    void action.go(role('ana', 'owner'))
    void action.go(role('ana', 'editor'))
    await answer()
    expect(called).toEqual(['ana editor'])
    expect(action.isBusy.value).toBe(false)
  })

  it('what is done to other things is done, too, each once', async () => {
    const { action, called, answer } = slowAction({ asks: ({ user }) => [user] })
    for (const user of ['ana', 'ben', 'ben', 'ana', 'cy']) void action.go(role(user, 'gone'))
    await answer()
    await answer()
    await answer()
    expect(called).toEqual(['ana gone', 'ben gone', 'cy gone'])
  })

  it('a failure of the first is told, and the next is done all the same', async () => {
    const { action, called, answer } = slowAction(setsRole)
    void action.go(role('ana', 'editor'))
    void action.go(role('ben', 'editor'))
    await answer('fail')
    await answer()
    expect(called).toEqual(['ana editor', 'ben editor'])
    expect(toasts.value.map(({ kind }) => kind)).toEqual(['fault', 'done'])
  })

  it('undo of the last goes back to the one before it, or to what was where that one failed', async () => {
    const { action, answer, undone } = slowAction(setsRole)
    void action.go(role('ana', 'editor'))
    void action.go(role('ana', 'owner'))
    await answer()
    await answer()
    await toasts.value.at(-1)?.action?.run()
    void action.go(role('ben', 'editor'))
    void action.go(role('ben', 'owner'))
    await answer('fail')
    await answer()
    await toasts.value.at(-1)?.action?.run()
    expect(undone).toEqual(['ana editor', 'ben none'])
  })

  it('says what is wrong with a field where no field shows it', async () => {
    const { action } = slowAction({ run: () => Promise.reject(errorOf(400, { instance: ['This record is gone.'] })) })
    await action.go(role('ben', 'editor'))
    expect(toasts.value.map(({ text }) => text)).toEqual(['This record is gone.'])
  })
})
