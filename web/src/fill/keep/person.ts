// Who is here. Without a line the server cannot say: then it is whoever was here last on this device, so that they find their
// drafts. Nothing is sent on that word alone.
export interface Person {
  /** Empty: nobody is signed in. */
  readonly username: string
  /** Proof for what is sent. */
  readonly csrf?: string
  /** The server said so. */
  readonly isSure: boolean
}

const key = 'sheaf-fill-person'
const limitMilliseconds = 10_000

/** Workers have no localStorage, and need none: they send only when the server says who is there. */
const storage = (): Storage | undefined => {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

export const rememberPerson = (username: string): void => {
  try {
    storage()?.setItem(key, username)
  } catch {
    // Full or forbidden: then nobody is remembered.
  }
}

const remembered = (): string => storage()?.getItem(key) ?? ''

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
  if (person !== undefined) rememberPerson(person.username)
  return person ?? { username: remembered(), isSure: false }
}
