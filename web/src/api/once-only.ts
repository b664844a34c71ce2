// Writing a note on a line that breaks: what was stored before the answer was lost is found, not stored again.
import { ApiError } from './errors'
import type { Note } from './records'

/** Nobody knows whether these were done. */
const isUnsure = (error: unknown): boolean =>
  error instanceof ApiError && ['offline', 'slow', 'broken', 'busy'].includes(error.kind)

/** Answers what stores the note; called again after a failure, it looks first whether the note is there. */
export const onceOnly = (
  calls: { add: () => Promise<Note>; list: () => Promise<readonly Note[]> },
  { note, owner, before }: { note: string; owner: string; before: readonly Note[] | undefined },
): (() => Promise<Note>) => {
  let known: ReadonlySet<number> | undefined = before && new Set(before.map(({ id }) => id))
  let isAgain = false
  return async () => {
    if (known === undefined || isAgain) {
      const notes = await calls.list()
      const seen = known
      const stored = seen && notes.find((one) => !seen.has(one.id) && one.owner === owner && one.note.trim() === note)
      if (stored !== undefined) return stored
      known ??= new Set(notes.map(({ id }) => id))
    }
    try {
      return await calls.add()
    } catch (error) {
      isAgain ||= isUnsure(error)
      throw error
    }
  }
}
