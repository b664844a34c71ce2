// Who is signed in. The cookie is the browser's, no script reads it; here is only the name, and the proof that goes along with
// every call so that pages of other sites cannot make any.
import { computed, ref, shallowRef } from 'vue'
import { errorOf, offlineError } from './errors'

export interface Session {
  readonly username: string
  readonly csrf: string
  readonly expires: string
}

export interface Credentials {
  readonly username: string
  readonly password: string
  /** Stay signed in on this device. */
  readonly stay: boolean
}

const path = '/accounts/session'

/** Undefined until the server was asked, null when nobody is. */
export const session = shallowRef<Session | null | undefined>(undefined)
export const isSignedIn = computed(() => Boolean(session.value))
export const username = computed(() => session.value?.username ?? '')

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' && value !== null && 'username' in value && 'csrf' in value

const ask = async (method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<Session | null> => {
  const csrf = session.value?.csrf
  const request = {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(csrf !== undefined && { 'x-sheaf-csrf': csrf }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const answer = await fetch(path, request).catch(() => {
    throw offlineError()
  })
  const text = await answer.text()
  const read: unknown = text.startsWith('{') ? JSON.parse(text) : text
  if (!answer.ok) throw errorOf(answer.status, read, answer.headers)
  return isSession(read) ? read : null
}

/** Tabs of one browser share the cookie: each tells the others. */
const tabs = typeof BroadcastChannel === 'function' ? new BroadcastChannel('sheaf-session') : undefined
const listeners = new Set<(now: Session | null, before: Session | null | undefined) => void>()

/** Called when somebody signs in or out, here or in another tab. */
export const onSessionChange = (listener: (now: Session | null, before: Session | null | undefined) => void): void => {
  listeners.add(listener)
}

const become = (now: Session | null): void => {
  const before = session.value
  session.value = now
  if (before !== undefined && before?.username !== now?.username) for (const tell of listeners) tell(now, before)
}

export const loadSession = async (): Promise<void> => become(await ask('GET').catch(() => null))

/** Whether somebody is signed in now. Where nobody is, the page stays as it was: what was typed is still in it. */
export const findSession = async (): Promise<boolean> => {
  const now = await ask('GET').catch(() => null)
  if (now !== null) become(now)
  return now !== null
}

/** After a changed password the session goes on as a new one, with another proof; the other tabs have the same cookie. */
export const renewSession = async (): Promise<void> => {
  await findSession()
  tabs?.postMessage('changed')
}

export const signIn = async (credentials: Credentials): Promise<void> => {
  const made = await ask('POST', credentials)
  // An older answer names nobody: the session itself does.
  become(made ?? (await ask('GET')))
  tabs?.postMessage('changed')
}

export const signOut = async (): Promise<void> => {
  await ask('DELETE')
  become(null)
  tabs?.postMessage('changed')
}

/** Shown over the page while a session has ended; whoever waits goes on when it is answered. */
export const isAskedToSignIn = ref(false)
let asked: Promise<boolean> | undefined
let answer: ((isSignedIn: boolean) => void) | undefined

/** Resolves to whether they signed in again; where not, nobody is signed in from then on. Many calls may wait for one dialog. */
export const signInAgain = (): Promise<boolean> => {
  asked ??= new Promise<boolean>((resolve) => {
    answer = resolve
    isAskedToSignIn.value = true
  }).then((isAgain) => {
    asked = undefined
    isAskedToSignIn.value = false
    if (!isAgain) become(null)
    return isAgain
  })
  return asked
}

export const answerSignIn = (isAgain: boolean): void => answer?.(isAgain)

export const startSession = async (): Promise<void> => {
  if (tabs !== undefined) {
    tabs.onmessage = async () => {
      // Signed in again in another tab: what waits here goes on, too.
      if (isAskedToSignIn.value) return answerSignIn(await findSession())
      await loadSession()
    }
  }
  await loadSession()
}
