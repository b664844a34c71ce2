// From the address of a record to a form that changes it, or to a draft of such a change.

import { asApiError } from '@/api/errors'
import { getForm, may } from '@/api/forms'
import { addressOf, movedPlace } from '../form/address'
import { inspect } from '../form/inspect'
import { type Opened, pastOf, type Refusal, refusalOf, retryOf, starting } from '../form/opening'
import {
  type Filled,
  FormUnreachable,
  formOfDraft,
  type Keeper,
  type KeptForm,
  openDraft,
  openForm,
  type Person,
  startDraft,
  whoIsHere,
} from '../keep'
import type { Place } from '../places'
import { filesOf, loadRecord, namesOf, type Stored } from './record'

export interface Editing {
  readonly opened: Opened
  readonly formId: number
  /** Undefined without a line. */
  readonly stored: Stored | undefined
  /** The draft was begun with an earlier version of the record. */
  readonly isStale: boolean
}

export type EditOpening =
  | { readonly kind: 'open'; readonly editing: Editing }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly retryAt?: number }
  | { readonly kind: 'elsewhere' }
  /** The change of the address was finished before, and is not in the record yet. */
  | { readonly kind: 'past'; readonly row: Filled }

type RecordPlace = Extract<Place, { kind: 'record' }>

const openedOf = async (form: KeptForm, keeper: Keeper, username: string, start: Opened['start']): Promise<Opened> => ({
  form,
  keeper,
  start,
  xml: form.xml,
  username,
  language: keeper.draft?.language ?? '',
  inspected: inspect(form.xml),
  unknown: [],
  given: new Map(),
  begun: 0,
  newer: Promise.resolve(false),
})

const refused = (why: Refusal): EditOpening => ({ kind: 'refused', why })

const page = () => location.pathname

const openAt = async (place: RecordPlace, { whose, username }: Person, takesOver: boolean): Promise<EditOpening> => {
  const address = await addressOf(place, whose)
  const formId = Number(address.formId)
  const { form } = await openForm(address)
  if (inspect(form.xml).isEncrypted) return refused('encrypted')
  const draftId = new URLSearchParams(location.search).get('draft')
  const kept = draftId === null ? undefined : await openDraft(draftId, whose, { takesOver })
  if (kept === 'elsewhere') return { kind: 'elsewhere' }
  if (kept?.draft !== undefined) {
    const own = (await formOfDraft(kept.draft)) ?? form
    const { deprecatedId } = kept.draft
    const stored = await loadRecord(formId, place.record).catch(() => undefined)
    const opened = await openedOf(own, kept, username, await starting(kept))
    return {
      kind: 'open',
      editing: { opened, formId, stored, isStale: stored !== undefined && stored.instanceId !== deprecatedId },
    }
  }
  const past = draftId === null ? undefined : await pastOf(draftId, whose)
  if (past === 'anothers') return refused('anothers')
  if (past !== undefined && past.state !== 'sent') return { kind: 'past', row: past }
  if (!may(await getForm(formId), 'change')) return refused('forbidden')
  const stored = await loadRecord(formId, place.record)
  const keeper = await startDraft(form, {
    whose,
    page: page(),
    deprecatedId: stored.instanceId,
    keptFiles: namesOf(stored),
  })
  const opened = await openedOf(form, keeper, username, { kind: 'edit', xml: stored.xml, files: await filesOf(stored) })
  return { kind: 'open', editing: { opened, formId, stored, isStale: false } }
}

/** Records are asked for by the API, which says in its own way that it is busy. */
const busyOf = (error: unknown): unknown => {
  const { kind, retrySeconds = 10 } = asApiError(error)
  return kind === 'busy' ? new FormUnreachable('', Math.max(1, retrySeconds) * 1000) : error
}

const whyNot = (error: unknown, place: Place, username: string): Refusal => {
  const { kind } = asApiError(error)
  if (kind === 'missing') return 'missing'
  if (kind === 'forbidden') return 'forbidden'
  if (kind === 'expired') return 'sign-in'
  return refusalOf(error, place, username)
}

export const openRecord = async (place: RecordPlace, takesOver = false): Promise<EditOpening> => {
  const person = await whoIsHere()
  if (person.whose === '') return refused('sign-in')
  try {
    return await openAt(place, person, takesOver)
  } catch (thrown) {
    const moved = await movedPlace(place, thrown)
    if (moved?.kind === 'record') return openRecord(moved, takesOver)
    const error = busyOf(thrown)
    return { ...refused(whyNot(error, place, person.username)), ...retryOf(error) }
  }
}
