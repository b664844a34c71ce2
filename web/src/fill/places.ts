// Where one is below /f/, by the address alone, and what is shown there. Each place is loaded when it is opened.
import type { Component } from 'vue'

export type Place =
  /** Drafts and what waits to be sent. */
  | { readonly kind: 'outbox' }
  /** A form that another page hands over, to look at. */
  | { readonly kind: 'preview' }
  /** A workbook that somebody drops. */
  | { readonly kind: 'check' }
  /** A form of an account: `form` is its number, or its form id. */
  | { readonly kind: 'form'; readonly user: string; readonly form: string }
  /** A record of it, by its number or its instance id. */
  | { readonly kind: 'record'; readonly user: string; readonly form: string; readonly record: string }
  /** The one form of a public link. */
  | { readonly kind: 'link'; readonly token: string }
  /** The forms of a key. */
  | { readonly kind: 'key'; readonly token: string }
  | { readonly kind: 'key-form'; readonly token: string; readonly form: string }
  | { readonly kind: 'nowhere' }

const plain = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** Names of accounts have three characters or more and are none of these. */
const reserved = new Set<string>(['outbox', 'preview', 'check'])

const ofSegments = (segments: readonly string[]): Place => {
  const [first = '', second, third, ...more] = segments
  if (first === '' || more.length > 0) return { kind: 'nowhere' }
  if (first === 'key') {
    if (second === undefined) return { kind: 'nowhere' }
    return third === undefined ? { kind: 'key', token: second } : { kind: 'key-form', token: second, form: third }
  }
  if (second === undefined) {
    return reserved.has(first) ? { kind: first as 'outbox' | 'preview' | 'check' } : { kind: 'link', token: first }
  }
  if (third === undefined) return { kind: 'form', user: first, form: second }
  return { kind: 'record', user: first, form: second, record: third }
}

export const placeOf = (path: string): Place => {
  const segments = path
    .replace(/^\/f(?=\/|$)/, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map(plain)
  return segments.includes(undefined) ? { kind: 'nowhere' } : ofSegments(segments as string[])
}

/** A place is a component that is given its place, in a folder of its own: `outbox/outbox.vue`. */
const components = import.meta.glob<{ default: Component }>([
  './check/check.vue',
  './edit/edit.vue',
  './form/form.vue',
  './key/key.vue',
  './outbox/outbox.vue',
  './preview/preview.vue',
])

const shownBy = {
  outbox: './outbox/outbox.vue',
  preview: './preview/preview.vue',
  check: './check/check.vue',
  form: './form/form.vue',
  link: './form/form.vue',
  'key-form': './form/form.vue',
  key: './key/key.vue',
  record: './edit/edit.vue',
} as const

/** Undefined where there is nothing. */
export const componentOf = ({ kind }: Place): (() => Promise<{ default: Component }>) | undefined =>
  kind === 'nowhere' ? undefined : components[shownBy[kind]]
