// From an address to a form that can be shown: who is here, which form, which draft; or why not.
import {
  draftsOf,
  type Filled,
  type FormAddress,
  FormRefused,
  formOfDraft,
  type Keeper,
  type KeptForm,
  type KeyEnd,
  listFilled,
  openDraft,
  openForm,
  startDraft,
  whoIsHere,
} from '../keep'
import type { Place } from '../places'
import type { Start } from '../renderer/form-screen.vue'
import { addressOf, doorOf } from './address'
import { defaultsIn, withDefaults } from './defaults'
import { type Inspected, inspect } from './inspect'

export type Refusal =
  /** Nobody is signed in, and the form is not for everybody. */
  | 'sign-in'
  /** The link or the key takes nothing any more; `over` where the server does not say why, or it never was. */
  | KeyEnd
  | 'over'
  | 'closed'
  | 'missing'
  | 'forbidden'
  | 'encrypted'
  | 'offline'

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
  /** Others that were begun. */
  readonly begun: number
  /** The server has another version, which is used for the next form. */
  readonly newer: Promise<boolean>
}

export type Opening =
  | { readonly kind: 'open'; readonly opened: Opened }
  /** `begun`: drafts of what was opened there before. */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly begun: number }
  /** Another tab has this draft. */
  | { readonly kind: 'elsewhere' }

const refused = (why: Refusal, begun = 0): Opening => ({ kind: 'refused', why, begun })

/** In our words: the server's are for phones. */
export const refusalOf = (error: unknown, place: Place, username: string): Refusal => {
  if (!(error instanceof FormRefused)) return 'offline'
  if (error.message.startsWith('This form is closed')) return 'closed'
  if ('token' in place && error.status === 403) return error.end ?? 'over'
  // A link that is good lists no form while its form takes nothing.
  if (place.kind === 'link') return 'closed'
  if ('token' in place) return 'missing'
  if (error.status === 401) return 'sign-in'
  if (error.status === 403) return 'forbidden'
  return username === '' ? 'sign-in' : 'missing'
}

const starting = async (keeper: Keeper): Promise<Start> =>
  keeper.draft === undefined
    ? { kind: 'new' }
    : { kind: 'restore', xml: keeper.draft.xml, files: await keeper.pictures() }

/** The draft of the address, where it is still there; else a new one. */
const findKeeper = async (form: KeptForm, username: string, takesOver: boolean): Promise<Keeper | 'elsewhere'> => {
  const id = new URLSearchParams(location.search).get('draft')
  const found = id === null ? undefined : await openDraft(id, username, { takesOver })
  return found ?? startDraft(form, { whose: username, page: location.pathname })
}

const openAt = async (address: FormAddress, takesOver: boolean): Promise<Opening> => {
  const { form, newer } = await openForm(address)
  if (inspect(form.xml).isEncrypted) return refused('encrypted')
  const keeper = await findKeeper(form, address.whose, takesOver)
  if (keeper === 'elsewhere') return { kind: 'elsewhere' }
  const own = keeper.draft === undefined ? form : ((await formOfDraft(keeper.draft)) ?? form)
  const start = await starting(keeper)
  const { xml, unknown } =
    start.kind === 'new' ? withDefaults(own.xml, defaultsIn(location.search)) : { ...own, unknown: [] }
  const others = await draftsOf(address).catch(() => [])
  const opened: Opened = {
    form: own,
    keeper,
    start,
    xml,
    unknown,
    username: address.whose,
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
  const { username } = await whoIsHere()
  const whose = 'token' in place ? '' : username
  try {
    return await openAt(await addressOf(place, whose), takesOver)
  } catch (error) {
    return refused(refusalOf(error, place, username), await countBegun(place, whose))
  }
}
