// Sends what waits: one sender over all tabs and the worker, one form after the other, the oldest first. Nothing is sent for somebody
// who is not signed in, and nothing is dropped without the server's word.

import { find, listAll, markSent, picturesOf, update } from './filled'
import { isByKey } from './form-fetching'
import { alone, draftLock, hold, sendingLock } from './locks'
import { marks } from './marks'
import { tellChanged } from './news'
import { type Answer, afterAnswer, afterSilence, noAnswer, outcomeOf, readAnswer, waitUntil } from './outcomes'
import { askPerson, type Person } from './person'
import { bodyOf, bytesOf, type Post, postsOf } from './posts'
import type { Filled, Picture } from './types'

/** On a line of 8 KB a second there is an answer in time; whatever takes longer is tried again. */
const limitOf = (bytes: number): number => 60_000 + bytes / 8

/** Below this no server has to be asked how much it takes at once. */
const smallBytes = 1_000_000
const usualBytes = 10_000_000

interface Sender {
  readonly headers: Record<string, string>
  readonly credentials: RequestCredentials
}

/** Undefined where it is not theirs to send now. */
const senderOf = ({ whose, door }: Filled, { whose: mine, csrf }: Person): Sender | undefined => {
  const headers = { 'x-openrosa-version': '1.0' }
  const isAnybodys = whose === '' || (isByKey(door) && mine === '')
  // Without the cookie: whoever happens to be signed in did not fill it in.
  if (isAnybodys || (isByKey(door) && mine === whose)) return { headers, credentials: 'omit' }
  if (mine !== whose || csrf === undefined) return undefined
  return { headers: { ...headers, 'x-sheaf-csrf': csrf }, credentials: 'same-origin' }
}

/** Of a person by the number of the form: its account may have another name by now, and somebody else the old one. Whoever is nobody
 * is asked to sign in at the door of the account alone. */
const addressOf = ({ door, formId, whose }: Filled): string =>
  `${whose === '' || isByKey(door) ? door : `/forms/${formId}`}/submission`

const announcedBytes = async (address: string, sender: Sender): Promise<number> => {
  const answer = await fetch(address, { method: 'HEAD', ...sender, signal: AbortSignal.timeout(30_000) })
  const announced = Number(answer.headers.get('x-openrosa-accept-content-length'))
  return Number.isSafeInteger(announced) && announced > 0 ? announced : usualBytes
}

const post = async (filled: Filled, sender: Sender, one: Post): Promise<Answer> => {
  const answer = await fetch(addressOf(filled), {
    method: 'POST',
    ...sender,
    body: bodyOf(filled.xml, one),
    redirect: 'manual',
    signal: AbortSignal.timeout(limitOf(one.bytes)),
  })
  return readAnswer(answer)
}

/** All of its posts; the answer to the last, or to the first that was not taken. `sent` is told the files that have arrived. */
const postAll = async (
  filled: Filled,
  files: readonly Picture[],
  sender: Sender,
  sent: (names: readonly string[]) => Promise<unknown>,
): Promise<Answer> => {
  try {
    const isSmall = bytesOf(filled.xml, files) <= smallBytes
    const most = isSmall ? usualBytes : await announcedBytes(addressOf(filled), sender)
    let answer = noAnswer
    for (const one of postsOf(filled.xml, files, most)) {
      answer = await post(filled, sender, one)
      if (outcomeOf(answer) !== 'stored') return answer
      if (!one.isLast) await sent(one.files.map(({ name }) => name))
    }
    return answer
  } catch {
    return noAnswer
  }
}

const filesToSend = async (filled: Filled): Promise<Picture[]> =>
  (await picturesOf(filled.id)).filter(
    ({ name }) => filled.xml.includes(name) && !filled.keptFiles.includes(name) && !filled.sentFiles.includes(name),
  )

/** What was finished a moment ago may still be on its way out of its page. */
const closingMilliseconds = 500

/** While somebody has it open it is not sent. */
const sendOne = async (id: string, person: Person): Promise<Answer | undefined> => {
  const held = await hold(draftLock(id), { wait: closingMilliseconds })
  try {
    return held === undefined ? undefined : await sendHeld(id, person)
  } finally {
    held?.release()
  }
}

const sendHeld = async (id: string, person: Person): Promise<Answer | undefined> => {
  const filled = await find(id)
  const sender = filled === undefined ? undefined : senderOf(filled, person)
  if (filled === undefined || sender === undefined || !isToBeSent(filled)) return undefined
  const files = await filesToSend(filled)
  // Said before the first byte leaves: whoever finds it after a crash knows that it may have arrived.
  await update(id, (now) => ({ ...now, isUncertain: true }))
  const answer = await postAll(filled, files, sender, (names) =>
    update(id, (now) => ({ ...now, sentFiles: [...now.sentFiles, ...names] })),
  )
  if (outcomeOf(answer) === 'stored') await markSent(filled)
  // Whoever discarded it meanwhile does not get it back by a line that was lost.
  else {
    const after = (now: Filled) =>
      now.state === 'discarded' ? undefined : afterAnswer(now, answer, filled.isUncertain)
    await update(id, after)
  }
  tellChanged()
  return answer
}

const isToBeSent = ({ state }: Filled): boolean => state === 'waiting' || state === 'unsigned'

/** Which of them now; `isWoken` where the line may be back, so that pauses of our own do not count. */
const isDue = ({ state, nextAt, notBefore }: Filled, isWoken: boolean, now: number): boolean =>
  state === 'unsigned' || waitUntil(isWoken ? notBefore : nextAt, now) === 0

/** Whoever is not signed in is told that it waits for them. */
const tellUnsigned = async (filled: Filled, person: Person): Promise<void> => {
  if (person.whose !== '' || filled.state === 'unsigned' || filled.whose === '' || isByKey(filled.door)) return
  await update(filled.id, (now) =>
    now.state === 'waiting' ? { ...now, state: 'unsigned', reason: { status: 401, message: '' } } : undefined,
  )
  tellChanged()
}

const sendDue = async (isWoken: boolean): Promise<void> => {
  const due = (await listAll()).filter((one) => isToBeSent(one) && isDue(one, isWoken, Date.now()))
  if (due.length === 0) return
  let person = await askPerson()
  for (const filled of due) {
    if (person === undefined) {
      // Nobody could be asked: the line is lost, and so it would be for the others.
      await update(filled.id, (now) => (now.state === 'waiting' ? afterSilence(now) : undefined))
      tellChanged()
      return
    }
    if (senderOf(filled, person) === undefined) {
      await tellUnsigned(filled, person)
      continue
    }
    const answer = await sendOne(filled.id, person)
    if (answer?.isStale || answer?.status === 401) person = await askPerson()
    // No line, or another one that answers for the server: so it would be for the others.
    if (answer?.isOurs === false) return
  }
}

/** Resolves when everything that can be sent now was tried. */
export const sendWaiting = ({ isWoken = false } = {}): Promise<void> => alone(sendingLock, () => sendDue(isWoken))

/** Straight from the page, where the browser cannot keep it first. What became of it; undefined where nothing was posted. */
export const sendUnkept = async (filled: Filled, files: readonly Picture[]): Promise<Filled | undefined> => {
  const person = await askPerson()
  const sender = person === undefined ? undefined : senderOf(filled, person)
  if (sender === undefined) return undefined
  // Whoever loads the page anew finds that it may have arrived, in one place or the other.
  marks.set(filled.instanceId, 'may-have-arrived')
  await update(filled.id, (now) => ({ ...now, isUncertain: true })).catch(() => undefined)
  const own = files.filter(({ name }) => !filled.keptFiles.includes(name))
  const answer = await postAll(filled, own, sender, () => Promise.resolve())
  if (outcomeOf(answer) === 'stored') {
    marks.set(filled.instanceId, 'arrived')
    return { ...filled, state: 'sent' }
  }
  const after = afterAnswer(filled, answer, filled.isUncertain)
  if (!after.isUncertain) marks.forget(filled.instanceId)
  await update(filled.id, (now) => ({ ...now, isUncertain: after.isUncertain })).catch(() => undefined)
  return after
}

const listWaiting = async (): Promise<Filled[]> => (await listAll()).filter(({ state }) => state === 'waiting')

export const waitingCount = async (): Promise<number> => (await listWaiting()).length

/** Milliseconds until something is to be tried next; undefined where nothing waits. */
export const nextAttempt = async (): Promise<number | undefined> => {
  const waits = (await listWaiting()).map(({ nextAt }) => waitUntil(nextAt))
  return waits.length === 0 ? undefined : Math.min(...waits)
}
