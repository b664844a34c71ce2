import { describe, expect, it } from 'vitest'
import { ApiError, offlineError } from './errors'
import { onceOnly } from './once-only'
import type { Note } from './records'

/** A room of notes whose answers are lost as often as said. */
const room = (lost: (Error | undefined)[]) => {
  const notes: Note[] = [{ id: 1, note: 'ok', owner: 'ana' } as Note]
  const add = async () => {
    const fault = lost.shift()
    if (fault !== undefined && !fault.message.startsWith('stored')) throw fault
    const stored = { id: notes.length + 1, note: 'ok', owner: 'ana' } as Note
    notes.push(stored)
    if (fault !== undefined) throw new ApiError('offline', fault.message)
    return stored
  }
  return { notes, calls: { add, list: async () => [...notes] } }
}
const given = (before: readonly Note[] | undefined) => ({ note: 'ok', owner: 'ana', before })

describe('a note that is sent again', () => {
  it.each([true, false])(
    'is stored once where the answer was lost; the notes were known before: %s',
    async (isKnown) => {
      const { notes, calls } = room([new Error('stored')])
      const send = onceOnly(calls, given(isKnown ? [...notes] : undefined))
      await expect(send()).rejects.toThrow()
      expect((await send()).id).toBe(2)
      expect(notes).toHaveLength(2)
    },
  )

  it('is stored where nothing had arrived, beside an older one of the same words', async () => {
    const { notes, calls } = room([offlineError(true), new ApiError('invalid', 'x')])
    const send = onceOnly(calls, given([...notes]))
    await expect(send()).rejects.toThrow()
    await expect(send()).rejects.toThrow('x')
    expect((await send()).id).toBe(2)
    expect(notes).toHaveLength(2)
  })
})
