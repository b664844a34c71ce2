// Who is signed in. The cookie is the browser's, no script reads it; here is only the name, and the proof that goes along with
// every call so that pages of other sites cannot make any.
import { computed, ref, shallowRef } from 'vue'
import { lost, onBack } from './connection'
import { type ApiError, asApiError, errorOf, offlineError } from './errors'

export interface Session {
  /** Of the account: it stays when the name is changed. */
  readonly id: number
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

/** Tabs of one browser share the cookie: each tells the others who is signed in now. */
interface Told {
  readonly username: string
  /** Signed in or renewed just now: the proof is another one. */
  readonly isNew: boolean
}
const tabs = typeof BroadcastChannel === 'function' ? new BroadcastChannel('sheaf-session') : undefined
const tell = (isNew: boolean): void => tabs?.postMessage({ username: username.value, isNew } satisfies Told)

const listeners = new Set<(now: Session | null, before: Session | null | undefined) => void>()

/** Called when somebody signs in or out, here or in another tab. */
export const onSessionChange = (listener: (now: Session | null, before: Session | null | undefined) => void): void => {
  listeners.add(listener)
}

/** The page is somebody's who is not signed in any more: nothing of it is shown while another one is on its way. */
const isLeaving = ref(false)

/** Said by the shell: a page that shows the same to everybody stays as it is, whoever signs in or out. */
let isForAnybody = (): boolean => false
export const tellWhoseItIs = (isAnybodys: () => boolean): void => {
  isForAnybody = isAnybodys
}

const become = (now: Session | null): void => {
  const before = session.value
  if (before && before.username !== now?.username && !isForAnybody()) isLeaving.value = true
  session.value = now
  if (before !== undefined && before?.username !== now?.username) for (const hear of listeners) hear(now, before)
}

/** Why it is not known who is signed in: the server could not say. That is not "nobody". */
export const sessionFault = shallowRef<ApiError>()
let learned: () => void
const isLearned = new Promise<void>((resolve) => {
  learned = resolve
})
/** Resolves when the server has said who is signed in. */
export const whenKnown = (): Promise<void> => isLearned

/** What was known stays where the server cannot say. */
export const loadSession = async (): Promise<void> => {
  try {
    const isFirst = session.value === undefined
    become(await ask('GET'))
    sessionFault.value = undefined
    learned()
    // Somebody may have signed in on a page of the server, or of another provider: the other tabs do not know yet.
    if (isFirst) tell(false)
  } catch (thrown) {
    sessionFault.value = asApiError(thrown)
    if (sessionFault.value.kind === 'offline') lost()
  }
}

/** Whether somebody is signed in now. Where nobody is, the page stays as it was: what was typed is still in it. */
export const findSession = async (): Promise<boolean> => {
  const now = await ask('GET').catch(() => null)
  if (now !== null) become(now)
  return now !== null
}

/** After a changed password the session goes on as a new one, with another proof; the other tabs have the same cookie. */
export const renewSession = async (): Promise<void> => {
  await findSession()
  tell(true)
}

export const signIn = async (credentials: Credentials): Promise<void> => {
  const made = await ask('POST', credentials)
  // An older answer names nobody: the session itself does.
  become(made ?? (await ask('GET')))
  tell(true)
}

/** Leaves the page for another one by loading it: nothing that was shown or typed is left in this tab. `ended` is told when
 * there is no session any more, and waited for. */
export const signOut = async (next = '/', ended?: () => Promise<void>): Promise<void> => {
  await ask('DELETE')
  const isEnded = ended?.()
  isLeaving.value = true
  session.value = null
  tell(true)
  await isEnded
  location.assign(next)
}

/** Shown over the page while a session has ended; whoever waits goes on when it is answered. */
export const isAskedToSignIn = ref(false)
/** Nobody sees what is on the page: whoever it was for is not signed in now. What they typed stays in it for them. */
export const isCovered = computed(() => isAskedToSignIn.value || isLeaving.value)
let asked: Promise<boolean> | undefined
let answer: ((isSignedIn: boolean) => void) | undefined

/** Resolves to whether they signed in again; where not, nobody is signed in from then on. Many calls may wait for one dialog. */
export const signInAgain = (): Promise<boolean> => {
  if (isForAnybody()) return Promise.resolve(false)
  asked ??= new Promise<boolean>((resolve) => {
    answer = resolve
    isAskedToSignIn.value = true
  }).then((isAgain) => {
    asked = undefined
    if (!isAgain) become(null)
    isAskedToSignIn.value = false
    return isAgain
  })
  return asked
}

export const answerSignIn = (isAgain: boolean): void => answer?.(isAgain)

/** Looks who is signed in now. Where the server cannot say, the next call does. */
const lookAgain = async (): Promise<void> => {
  if (isForAnybody()) return loadSession()
  const now = await ask('GET').catch(() => undefined)
  if (now === null) void signInAgain()
  if (now) become(now)
  // Signed in again in another tab: what waits here goes on, too.
  if (now && isAskedToSignIn.value) answerSignIn(true)
}

const isTold = (value: unknown): value is Told => typeof value === 'object' && value !== null && 'username' in value

const hear = async (told: unknown): Promise<void> => {
  const mine = username.value
  if (session.value === undefined || isLeaving.value) return
  if (mine === '') return isTold(told) && told.username === '' ? undefined : loadSession()
  if (!isTold(told) || isForAnybody()) return lookAgain()
  if (told.username === '') {
    // What was said may be late: who signed in since goes on at once.
    if (told.isNew) void signInAgain()
    return lookAgain()
  }
  if (told.username === mine) return told.isNew || isAskedToSignIn.value ? lookAgain() : undefined
  isLeaving.value = true
  location.reload()
}

export const startSession = async (): Promise<void> => {
  if (tabs !== undefined) tabs.onmessage = ({ data }) => void hear(data)
  // Out of the browser's memory, as it was when it was left: somebody else may be signed in since.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving.value) location.reload()
    else if (persisted && session.value) void lookAgain()
  })
  onBack(() => {
    if (session.value === undefined) void loadSession()
  })
  await loadSession()
}
