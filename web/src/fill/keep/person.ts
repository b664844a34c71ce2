// Who is here. Without a line the server cannot say: then it is whoever was here last on this device, so that they find their
// drafts. Nothing is sent on that word alone.
import { database } from './database'

export interface Person {
  /** Empty: nobody is signed in. */
  readonly username: string
  /** Proof for what is sent. */
  readonly csrf?: string
  /** The server said so. */
  readonly isSure: boolean
}

const note = 'person'
const limitMilliseconds = 10_000

/** In the database, as everything else: what a page writes elsewhere may be gone after a crash. */
export const rememberPerson = async (username: string): Promise<void> => {
  try {
    const db = await database()
    if ((await db.get('notes', note)) !== username) await db.put('notes', username, note)
  } catch {
    // The browser keeps nothing: then nobody is remembered.
  }
}

const remembered = async (): Promise<string> => {
  try {
    return (await (await database()).get('notes', note)) ?? ''
  } catch {
    return ''
  }
}

const isSession = (value: unknown): value is { username: string; csrf: string } =>
  typeof value === 'object' && value !== null && 'username' in value && 'csrf' in value

/** Undefined where the server cannot be asked. */
export const askPerson = async (): Promise<Person | undefined> => {
  try {
    const headers = { accept: 'application/json' }
    const signal = AbortSignal.timeout(limitMilliseconds)
    const answer = await fetch('/accounts/session', { headers, cache: 'no-store', signal })
    if (answer.status === 204) return { username: '', isSure: true }
    const read: unknown = answer.ok ? await answer.json() : undefined
    return isSession(read) ? { username: read.username, csrf: read.csrf, isSure: true } : undefined
  } catch {
    return undefined
  }
}

export const whoIsHere = async (): Promise<Person> => {
  const person = await askPerson()
  if (person !== undefined) await rememberPerson(person.username)
  return person ?? { username: await remembered(), isSure: false }
}
