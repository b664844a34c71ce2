// Whether a form is listed for phones and takes records: open, closing, closed.
/** What somebody can set. */
export const formStates = ['open', 'closing', 'closed'] as const
/** `draft`: it has never been published. */
export type FormState = (typeof formStates)[number] | 'draft'

/** As it is stored: an open one may have a time from which on it is closing. */
export interface KeptState {
  readonly state: FormState
  readonly closesAt: Date | null
}

export const stateAt = ({ state, closesAt }: KeptState, now: Date): FormState =>
  state === 'open' && closesAt !== null && closesAt <= now ? 'closing' : state

/** Time alone closes no form, so this needs no clock. */
export const takesRecords = ({ state }: Pick<KeptState, 'state'>): boolean => state === 'open' || state === 'closing'

/** What somebody asks for. `downloadable` is how clients without states say it: open, or closed. */
export interface StateChange {
  readonly state?: FormState | undefined
  readonly downloadable?: boolean | undefined
  /** null: it does not close by itself. */
  readonly closesAt?: Date | null | undefined
}

export type NextState = KeptState | { readonly faults: Record<string, string[]> }

const fault = (field: string, message: string): NextState => ({ faults: { [field]: [message] } })

const meant = (isDownloadable: boolean): FormState => (isDownloadable ? 'open' : 'closed')

/** Whoever sends a whole form back has changed one of the two: that one counts. Undefined: they say different things. */
const wanted = ({ state, downloadable }: StateChange, present: FormState): FormState | undefined => {
  if (downloadable === undefined) return state ?? present
  if (state === undefined) return meant(downloadable)
  if (downloadable === (state === 'open') || downloadable === (present === 'open')) return state
  return state === present ? meant(downloadable) : undefined
}

/** A whole form that was sent back. */
const isSame = (kept: KeptState, { state = kept.state, downloadable = false, closesAt = null }: StateChange): boolean =>
  state === kept.state && !downloadable && closesAt === null

/** What becomes of it. A time is for an open form; one that has passed does not stay when the form is opened again. */
export const nextState = (kept: KeptState, change: StateChange, now: Date): NextState => {
  if (kept.state === 'draft') {
    return isSame(kept, change) ? kept : fault('state', 'The form has not been published. Publish its draft first.')
  }
  const present = stateAt(kept, now)
  const state = wanted(change, present)
  if (state === undefined) return fault('state', 'state and downloadable say different things. Send one of them.')
  const { closesAt = kept.closesAt } = change
  const isKept = closesAt?.getTime() === kept.closesAt?.getTime()
  if (state === 'open') return isKept ? open(ahead(closesAt, now)) : openUntil(closesAt, now)
  if (!isKept && closesAt !== null) {
    return fault('closes_at', `Only an open form closes at a time, and this one is ${state}. Send state open with it.`)
  }
  // Closing by its time is told apart from closing by hand for as long as nobody changes it.
  return isKept && kept.state === 'open' && state === present ? kept : { state, closesAt: null }
}

const open = (closesAt: Date | null): KeptState => ({ state: 'open', closesAt })

const ahead = (time: Date | null, now: Date): Date | null => (time !== null && time > now ? time : null)

const openUntil = (closesAt: Date | null, now: Date): NextState =>
  closesAt !== null && closesAt <= now
    ? fault('closes_at', 'The time has passed. To close the form now, send state closing or closed.')
    : open(closesAt)
