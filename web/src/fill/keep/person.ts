// Who is here. Without a line the server cannot say: then it is whoever was here last on this device, so that they find their
// drafts. Nothing is sent on that word alone.
import { database } from './database'
import { busyFor } from './form-fetching'

/** As the server names somebody. The name may become another one, and then another person's; the number does not. */
export interface Account {
  readonly id: number
  readonly username: string
}

export interface Person {
  /** What their rows are kept under in this browser. Empty: nobody is signed in. */
  readonly whose: string
  /** What they are called now. */
  readonly username: string
  /** Proof for what is sent. */
  readonly csrf?: string
  /** The server said so. */
  readonly isSure: boolean
  /** Nobody knows: the server could not say just now, and was never asked before. Milliseconds until it can be asked again. */
  readonly busyFor?: number
}

const limitMilliseconds = 10_000

/** The name that an account had when it was first here, for good; the number where that name is another account's by then. What
 * was kept under a name before numbers were known is so taken over by whoever has the name. */
export const whoseOf = async ({ id, username }: Account): Promise<string> => {
  let whose = `#${id}`
  try {
    const change = (await database()).transaction('notes', 'readwrite')
    const known = await change.store.get(`account ${id}`)
    if (known !== undefined) return known
    const isTaken = (await change.store.get(`name ${username}`)) !== undefined
    if (!isTaken) whose = username
    await change.store.put(whose, `account ${id}`)
    if (!isTaken) await change.store.put(String(id), `name ${username}`)
    await change.done
    return whose
  } catch {
    // On a full disk it is what it will be when there is room: what was typed meanwhile is found again.
    return whose
  }
}

const nobody = { whose: '', username: '' }

/** In the database, as everything else: what a page writes elsewhere may be gone after a crash. */
export const rememberPerson = async ({
  whose,
  username,
}: Pick<Person, 'whose' | 'username'> = nobody): Promise<void> => {
  try {
    const change = (await database()).transaction('notes', 'readwrite')
    await Promise.all([change.store.put(whose, 'person'), change.store.put(username, 'username'), change.done])
  } catch {
    // The browser keeps nothing: then nobody is remembered.
  }
}

/** Undefined where nobody ever asked. */
const remembered = async (): Promise<Pick<Person, 'whose' | 'username'> | undefined> => {
  try {
    const { store } = (await database()).transaction('notes')
    const [whose, username = whose ?? ''] = await Promise.all([store.get('person'), store.get('username')])
    return whose === undefined ? undefined : { whose, username }
  } catch {
    return undefined
  }
}

const isSession = (value: unknown): value is Account & { csrf: string } =>
  typeof value === 'object' && value !== null && 'id' in value && 'username' in value && 'csrf' in value

const ask = async (): Promise<Person | { readonly busyFor: number } | undefined> => {
  try {
    const headers = { accept: 'application/json' }
    const signal = AbortSignal.timeout(limitMilliseconds)
    const answer = await fetch('/accounts/session', { headers, cache: 'no-store', signal })
    if (answer.status === 204) return { ...nobody, isSure: true }
    const busy = busyFor(answer)
    if (busy !== undefined) return { busyFor: busy }
    const read: unknown = answer.ok ? await answer.json() : undefined
    if (!isSession(read)) return undefined
    return { whose: await whoseOf(read), username: read.username, csrf: read.csrf, isSure: true }
  } catch {
    return undefined
  }
}

const isPerson = (said: Awaited<ReturnType<typeof ask>>): said is Person => said !== undefined && 'whose' in said

/** Undefined where the server cannot be asked. */
export const askPerson = async (): Promise<Person | undefined> => {
  const said = await ask()
  return isPerson(said) ? said : undefined
}

export const whoIsHere = async (): Promise<Person> => {
  const said = await ask()
  if (!isPerson(said)) return { ...((await remembered()) ?? { ...nobody, ...said }), isSure: false }
  await rememberPerson(said)
  return said
}
