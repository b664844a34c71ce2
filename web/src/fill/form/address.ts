// Which form a place is about: its door and its number. Names and links are looked up, and remembered for times without a line.
import { type FormAddress, FormRefused, FormUnreachable } from '../keep'
import { isByKey, refusedBy } from '../keep/form-fetching'
import { isOurs } from '../keep/outcomes'
import type { Place } from '../places'

export interface ListedForm {
  readonly number: string
  readonly title: string
}

const numberIn = (address: string): string => /\/forms\/(\d{1,10})\/form\.xml$/.exec(address)?.[1] ?? ''

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
    .map((form) => ({ number: numberIn(textIn(form, 'downloadUrl')), title: textIn(form, 'name') }))
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

export const addressOf = async (place: Place, whose: string): Promise<FormAddress> => {
  const door = doorOf(place)
  const name = 'form' in place ? place.form : ''
  return { door, whose, formId: isNumber(name) ? name : await lookUp(door, name) }
}
