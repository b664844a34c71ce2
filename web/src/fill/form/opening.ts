// From an address to a form that can be shown: who is here, which form, which draft; or why not.
import {
  draftsOf,
  type Filled,
  type FormAddress,
  FormRefused,
  FormUnreachable,
  formOfDraft,
  heldIn,
  type Keeper,
  type KeptForm,
  type KeyEnd,
  listFilled,
  openDraft,
  openForm,
  recover,
  startDraft,
  whoIsHere,
} from '../keep'
import { find, isSeenBy } from '../keep/filled'
import type { Place } from '../places'
import type { Start } from '../renderer/form-screen.vue'
import { addressOf, doorOf, movedPlace } from './address'
import { defaultsIn, withDefaults } from './defaults'
import { type Inspected, inspect } from './inspect'

export type Refusal =
  /** Nobody is signed in, and the form is not for everybody. */
  | 'sign-in'
  /** The draft of the address is somebody's who is not signed in now. */
  | 'anothers'
  /** The link or the key takes nothing any more; `over` where the server does not say why, or it never was. */
  | KeyEnd
  | 'over'
  | 'closed'
  | 'missing'
  | 'forbidden'
  | 'encrypted'
  | 'offline'
  /** The server is there, and cannot give it just now. */
  | 'busy'

export interface Opened {
  readonly form: KeptForm
  readonly keeper: Keeper
  readonly start: Start
  readonly xml: string
  readonly username: string
  readonly language: string
  readonly inspected: Inspected
  /** Names in the address that the form does not have. */
  readonly unknown: readonly string[]
  /** Names in the address that it has, by their place in the form. */
  readonly given: ReadonlyMap<string, string>
  /** Others that were begun. */
  readonly begun: number
  /** The server has another version, which is used for the next form. */
  readonly newer: Promise<boolean>
}

export type Opening =
  | { readonly kind: 'open'; readonly opened: Opened }
  /** `begun`: drafts of what was opened there before. */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly begun: number; readonly retryAt?: number }
  /** Another tab has this draft. */
  | { readonly kind: 'elsewhere' }
  /** The draft of the address was finished before. */
  | { readonly kind: 'past'; readonly row: Filled }

const refused = (why: Refusal, begun = 0): Opening => ({ kind: 'refused', why, begun })

/** When it is tried again by itself, where somebody said that the server is busy. */
export const retryOf = (error: unknown): { retryAt?: number } =>
  error instanceof FormUnreachable && error.busyFor !== undefined ? { retryAt: Date.now() + error.busyFor } : {}

/** In our words: the server's are for phones. */
export const refusalOf = (error: unknown, place: Place, username: string): Refusal => {
  if (!(error instanceof FormRefused)) return retryOf(error).retryAt === undefined ? 'offline' : 'busy'
  if (error.message.startsWith('This form is closed')) return 'closed'
  if ('token' in place && error.status === 403) return error.end ?? 'over'
  // A link that is good lists no form while its form takes nothing.
  if (place.kind === 'link') return 'closed'
  if ('token' in place) return 'missing'
  if (error.status === 401) return 'sign-in'
  if (error.status === 403) return 'forbidden'
  return username === '' ? 'sign-in' : 'missing'
}

export const starting = async (keeper: Keeper): Promise<Start> =>
  keeper.draft === undefined
    ? { kind: 'new' }
    : { kind: 'restore', xml: heldIn(keeper.draft), files: await keeper.pictures() }

/** What to say where the draft of the address does not open; undefined where nothing is known of it, or it was discarded. */
export const pastOf = async (id: string, whose: string): Promise<'anothers' | Filled | undefined> => {
  const row = await find(id).catch(() => undefined)
  if (row === undefined || row.state === 'discarded') return undefined
  if (!isSeenBy(row, whose)) return 'anothers'
  return row.state === 'draft' ? undefined : row
}

/** What was typed here a moment before the page went, and nothing was kept of yet. */
const lostHere = async (whose: string): Promise<string | null> => {
  const found = await recover().catch(() => [])
  return found.find((row) => row.page === location.pathname && row.whose === whose)?.id ?? null
}

/** The draft of the address, where it is still there; else a new one, or what became of it. */
const findKeeper = async (form: KeptForm, whose: string, takesOver: boolean): Promise<Keeper | Opening> => {
  const id = new URLSearchParams(location.search).get('draft') ?? (await lostHere(whose))
  const found = id === null ? undefined : await openDraft(id, whose, { takesOver })
  if (found === 'elsewhere') return { kind: 'elsewhere' }
  const past = id === null || found !== undefined ? undefined : await pastOf(id, whose)
  if (past === 'anothers') return refused('anothers')
  if (past !== undefined) return { kind: 'past', row: past }
  return found ?? startDraft(form, { whose, page: location.pathname })
}

const openAt = async (address: FormAddress, username: string, takesOver: boolean): Promise<Opening> => {
  const { form, newer } = await openForm(address)
  if (inspect(form.xml).isEncrypted) return refused('encrypted')
  const keeper = await findKeeper(form, address.whose, takesOver)
  if ('kind' in keeper) return keeper
  const own = keeper.draft === undefined ? form : ((await formOfDraft(keeper.draft)) ?? form)
  const start = await starting(keeper)
  const { xml, unknown, given } =
    start.kind === 'new'
      ? withDefaults(own.xml, defaultsIn(location.search))
      : { ...own, unknown: [], given: new Map() }
  const others = await draftsOf(address).catch(() => [])
  const opened: Opened = {
    form: own,
    keeper,
    start,
    xml,
    unknown,
    given,
    username,
    language: keeper.draft?.language ?? '',
    inspected: inspect(own.xml),
    begun: others.filter(({ id }) => id !== keeper.id).length,
    newer: newer.then((other) => other !== undefined),
  }
  return { kind: 'open', opened }
}

/** Whoever began one finds it in the outbox, whatever became of the form. */
const countBegun = async (place: Place, whose: string): Promise<number> => {
  const rows = await listFilled(whose).catch(() => [])
  const isHere = ({ state, door, page }: Filled) =>
    state === 'draft' && ('token' in place ? door === doorOf(place) : page === location.pathname)
  return rows.filter(isHere).length
}

export const openPlace = async (place: Place, takesOver = false): Promise<Opening> => {
  const here = await whoIsHere()
  const { whose, username } = 'token' in place ? { whose: '', username: '' } : here
  // What somebody fills in as nobody would be stored without them.
  if (here.busyFor !== undefined && !('token' in place))
    return { kind: 'refused', why: 'busy', begun: 0, retryAt: Date.now() + here.busyFor }
  try {
    return await openAt(await addressOf(place, whose), username, takesOver)
  } catch (error) {
    const moved = await movedPlace(place, error)
    if (moved !== undefined) return openPlace(moved, takesOver)
    const begun = await countBegun(place, whose)
    return { kind: 'refused', why: refusalOf(error, place, here.username), begun, ...retryOf(error) }
  }
}
