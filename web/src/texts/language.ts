// The language of the page: the one that was chosen on this device, else the first of the browser's that there is.
import { computed, ref, shallowRef, watch } from 'vue'
import { kept } from '@/base/kept'
import type { Entries } from './catalogue'

/** Each in its own words, as whoever looks for it reads it. */
export const languages = {
  en: 'English',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  sw: 'Kiswahili',
  ar: 'العربية',
} as const

export type Language = keyof typeof languages

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value)

const rightToLeft: readonly Language[] = ['ar']

const wanted = (): readonly string[] => globalThis.navigator?.languages ?? ['en']

/** The first that there is, by its language alone: `pt-BR` is `pt`. */
export const firstKnown = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'

/** `system`: the browser's. */
export const chosenLanguage = kept<Language | 'system'>(
  'sheaf-language',
  'system',
  (value): value is Language | 'system' => value === 'system' || isLanguage(value),
)

export const wantedLanguage = computed<Language>(() =>
  chosenLanguage.value === 'system' ? firstKnown(wanted()) : chosenLanguage.value,
)

/** The language that is shown: it follows the wanted one when its texts have come. */
export const language = ref<Language>('en')

/** With the person's region where the browser names one: it decides how dates and numbers are written. */
export const locale = computed(
  () => wanted().find((tag) => tag.slice(0, 2).toLowerCase() === language.value) ?? language.value,
)

export const direction = computed<'ltr' | 'rtl'>(() => (rightToLeft.includes(language.value) ? 'rtl' : 'ltr'))

/** Texts by the name of their file; English ones come with the pages that use them. */
export const loaded = shallowRef<Readonly<Record<string, Entries>>>({})

const loaders: Record<Exclude<Language, 'en'>, () => Promise<{ default: Readonly<Record<string, Entries>> }>> = {
  fr: () => import('./fr'),
  es: () => import('./es'),
  pt: () => import('./pt'),
  sw: () => import('./sw'),
  ar: () => import('./ar'),
}

/** Fails where the texts cannot be fetched; then the page stays in the language that it has. */
export const showLanguage = async (name: Language): Promise<void> => {
  const texts = name === 'en' ? {} : (await loaders[name]()).default
  // Meanwhile another may have been chosen.
  if (name !== wantedLanguage.value) return
  loaded.value = texts
  language.value = name
  document.documentElement.lang = name
  document.documentElement.dir = direction.value
}

/** Resolves when the first texts are there; afterwards the page follows the choice. */
export const startLanguage = async (): Promise<void> => {
  watch(wantedLanguage, (name) => void showLanguage(name).catch(() => undefined))
  await showLanguage(wantedLanguage.value).catch(() => undefined)
}
