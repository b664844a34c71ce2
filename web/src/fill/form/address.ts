// Which form a place is about: its door and its number. Names and links are looked up, and remembered for times without a line.
import { type FormAddress, FormRefused, FormUnreachable } from '../keep'
import { isByKey, refusedBy } from '../keep/form-fetching'
import { isOurs } from '../keep/outcomes'
import type { Place } from '../places'

export interface ListedForm {
  /** The name of its account. */
  readonly user: string
  readonly number: string
  readonly title: string
}

const addressIn = (address: string): { user: string; number: string } => {
  const [, user = '', number = ''] = /([^/]{1,254})\/forms\/(\d{1,10})\/form\.xml$/.exec(address) ?? []
  return { user: decodeURIComponent(user), number }
}

const textIn = (element: Element, name: string): string =>
  [...element.children].find(({ localName }) => localName === name)?.textContent ?? ''

/** What a door lists, by whoever comes to it. */
export const listForms = async (door: string, formId = ''): Promise<ListedForm[]> => {
  const wanted = formId === '' ? '' : `?formID=${encodeURIComponent(formId)}`
  const answer = await fetch(`${door}/formList${wanted}`, {
    headers: { 'x-openrosa-version': '1.0' },
    credentials: isByKey(door) ? 'omit' : 'same-origin',
    signal: AbortSignal.timeout(30_000),
  }).catch((error: unknown) => {
    throw new FormUnreachable(String(error))
  })
  // A page of a network lists no form, either, and would be taken for a door without any.
  if (!answer.ok || !isOurs(answer)) throw await refusedBy(answer)
  const document = new DOMParser().parseFromString(await answer.text().catch(() => ''), 'text/xml')
  return [...document.getElementsByTagName('*')]
    .filter(({ localName }) => localName === 'xform')
    .map((form) => ({ ...addressIn(textIn(form, 'downloadUrl')), title: textIn(form, 'name') }))
}

const memory = (door: string, name: string): string => `sheaf-fill-number ${door} ${name}`

const remember = (key: string, number: string): void => {
  try {
    localStorage.setItem(key, number)
  } catch {
    // Full or forbidden: then it is looked up each time.
  }
}

const remembered = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const lookUp = async (door: string, name: string): Promise<string> => {
  const key = memory(door, name)
  try {
    const [form] = await listForms(door, name)
    if (form === undefined) throw new FormRefused(404, '')
    remember(key, form.number)
    return form.number
  } catch (error) {
    const known = error instanceof FormUnreachable ? remembered(key) : null
    if (known === null) throw error
    return known
  }
}

export const doorOf = (place: Place): string => {
  if (place.kind === 'form' || place.kind === 'record') return `/${encodeURIComponent(place.user)}`
  return 'token' in place ? `/key/${encodeURIComponent(place.token)}` : ''
}

const isNumber = (text: string): boolean => /^\d{1,10}$/.test(text)

const pathOf = (place: Extract<Place, { user: string }>): string =>
  [place.user, place.form, ...('record' in place ? [place.record] : [])].map(encodeURIComponent).join('/')

/** An account may have another name since the address was made: the form is found by its number, and the page has its present
 * address. Undefined where it is not found so. */
export const movedPlace = async (place: Place, error: unknown): Promise<Place | undefined> => {
  if (!('user' in place) || !(error instanceof FormRefused) || error.status !== 404) return undefined
  const number = isNumber(place.form) ? place.form : remembered(memory(doorOf(place), place.form))
  const [form] = number === null ? [] : await listForms(`/forms/${number}`).catch(() => [])
  if (form === undefined || form.user === '' || form.user === place.user) return undefined
  const moved = { ...place, user: form.user, form: form.number }
  history.replaceState(history.state, '', `/f/${pathOf(moved)}${location.search}`)
  return moved
}

export const addressOf = async (place: Place, whose: string): Promise<FormAddress> => {
  const door = doorOf(place)
  const name = 'form' in place ? place.form : ''
  return { door, whose, formId: isNumber(name) ? name : await lookUp(door, name) }
}
