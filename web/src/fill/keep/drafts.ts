// Beginning to fill in a form, and going on with one.
import { hiddenIn } from './answers'
import { find, isSeenBy, nextRevision, settleArrived, update, write } from './filled'
import { Keeper } from './keeper'
import { lastWords } from './last-words'
import { draftLock, type Held, hold } from './locks'
import { marks } from './marks'
import { instanceNameOf, newId, newInstanceId } from './meta'
import { ask, tellChanged } from './news'
import type { Filled, KeptForm } from './types'

export interface Beginning {
  readonly whose: string
  /** Of an edit: the instance id of the record. */
  readonly deprecatedId?: string
  /** Where it is filled in, to come back to: `/f/ana/12`. */
  readonly page: string
  /** Of an edit: names of the files that the record has. */
  readonly keptFiles?: readonly string[]
}

/** Nothing is kept before something was answered. */
export const startDraft = async (form: KeptForm, beginning: Beginning): Promise<Keeper> => {
  const { whose, page, deprecatedId = null, keptFiles = [] } = beginning
  const id = newId()
  // Nobody else knows the name yet.
  const held = (await hold(draftLock(id))) as Held
  const begun = { id, whose, page, deprecatedId, keptFiles, form }
  return new Keeper({ begun, held })
}

/** Whoever has it saves the last word and gives it; a tab that does not answer is asleep. */
const patienceMilliseconds = 3000

const take = async (id: string, takesOver: boolean): Promise<Held | undefined> => {
  const free = await hold(draftLock(id))
  if (free !== undefined || !takesOver) return free
  ask({ kind: 'give', id })
  return (await hold(draftLock(id), { wait: patienceMilliseconds })) ?? hold(draftLock(id), { byForce: true })
}

/** What may have arrived must not be changed under the same id: the change would be taken for a repetition. */
export const mayOpen = ({ state, isUncertain, sentFiles }: Filled): boolean =>
  state === 'draft' ||
  ((state === 'waiting' || state === 'refused' || state === 'unsigned') && !isUncertain && sentFiles.length === 0)

/** What waits is sent by itself: an address that still names it must not make a draft of it again, which nobody would send. */
const isOpenable = (filled: Filled): boolean =>
  mayOpen(filled) &&
  filled.state !== 'waiting' &&
  filled.state !== 'unsigned' &&
  marks.of(filled.instanceId) !== 'arrived'

/** Sent while it could not be kept, or while that could not be written down. */
const mayHaveArrived = ({ isUncertain, instanceId }: Filled): boolean =>
  isUncertain || marks.of(instanceId) === 'may-have-arrived'

/** Of what may have arrived: what is typed now is another filled form. */
const freshly = (draft: Filled): Filled =>
  mayHaveArrived(draft) ? { ...draft, instanceId: newInstanceId(), isUncertain: false } : draft

/** Somebody wants to change what waits: it is a draft again, where it is not just being sent. */
export const reopen = async (id: string): Promise<boolean> => {
  const held = await hold(draftLock(id))
  if (held === undefined) return false
  const draft = await update(id, (now) => (mayOpen(now) ? { ...now, state: 'draft' } : undefined))
  held.release()
  tellChanged()
  return draft !== undefined
}

/** The last word of a page that was torn down. */
const withLastWords = async (draft: Filled): Promise<Filled> => {
  const words = lastWords.of(draft.id)
  if (words === undefined) return draft
  const { all: _, ...rest } = draft
  const said = { ...hiddenIn(words), xml: words.xml, changedAt: words.at, revision: nextRevision(draft) }
  const newer = words.at > draft.changedAt ? { ...rest, ...said } : draft
  if (newer !== draft) await write(newer, [])
  lastWords.forget(draft.id)
  return newer
}

const recoverAll = async (): Promise<Filled[]> => {
  const found: Filled[] = []
  for (const words of lastWords.unkept()) {
    const { id, xml, at, row } = words
    // Its page may have had the time after all.
    if (row === undefined || (await find(id)) !== undefined) continue
    if (marks.of(row.instanceId) === 'arrived') {
      lastWords.forget(id)
      continue
    }
    const draft = { ...row, ...hiddenIn(words), xml, changedAt: at, name: instanceNameOf(xml) }
    await write(draft, [])
    lastWords.forget(id)
    found.push(draft)
  }
  if (found.length > 0) tellChanged()
  return found
}

let recovered: Promise<Filled[]> | undefined

/** Forms whose page went before their first word was kept: they are drafts as any other now. The same for everybody on a page,
 * whoever asks first. */
export const recover = (): Promise<Filled[]> => {
  recovered ??= recoverAll()
  return recovered
}

/** `elsewhere`: another tab has it open. Undefined: there is no such draft, it waits to be sent, or it is somebody else's. */
export const openDraft = async (
  id: string,
  whose: string,
  { takesOver = false } = {},
): Promise<Keeper | 'elsewhere' | undefined> => {
  const isTheirs = (one: Filled | undefined): one is Filled =>
    one !== undefined && isSeenBy(one, whose) && isOpenable(one)
  await settleArrived().catch(() => undefined)
  if (!isTheirs(await find(id))) return undefined
  const held = await take(id, takesOver)
  if (held === undefined) return 'elsewhere'
  let isAnother = false
  // It may have been sent while it was waited for.
  const draft = await update(id, (now) => {
    if (!isTheirs(now)) return undefined
    isAnother = mayHaveArrived(now)
    return { ...freshly(now), state: 'draft', revision: nextRevision(now) }
  })
  if (draft === undefined) {
    held.release()
    return undefined
  }
  const opened = await withLastWords(draft)
  tellChanged()
  return new Keeper({ draft: opened, isAnother, held })
}
