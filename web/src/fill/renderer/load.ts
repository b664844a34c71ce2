// Loads the renderer, once a page: it is ten times as heavy as everything else.
import { type App, type Component, markRaw } from 'vue'
import { locale } from '@/texts'
import { newId } from '../keep/meta'
import { loadTiles } from './tiles'

/** Where a policy forbids what it needs, it neither comes nor fails. */
const patienceMilliseconds = 120_000

const days = (width: 'long' | 'short' | 'narrow'): string[] => {
  const format = new Intl.DateTimeFormat(locale.value, { weekday: width, timeZone: 'UTC' })
  // The fourth of January 1970 was a Sunday.
  return Array.from({ length: 7 }, (_, day) => format.format(new Date(Date.UTC(1970, 0, 4 + day))))
}

const months = (width: 'long' | 'short'): string[] => {
  const format = new Intl.DateTimeFormat(locale.value, { month: width, timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => format.format(new Date(Date.UTC(1970, month, 15))))
}

/** Calendars within the form, in the language of the page. */
const speak = (app: App): void => {
  const { $primevue } = app.config.globalProperties as { $primevue?: { config: { locale: Record<string, unknown> } } }
  if ($primevue === undefined) return
  Object.assign($primevue.config.locale, {
    dayNames: days('long'),
    dayNamesShort: days('short'),
    dayNamesMin: days('narrow'),
    monthNames: months('long'),
    monthNamesShort: months('short'),
    dateFormat: 'yy-mm-dd',
  })
}

const late = (): Promise<never> =>
  new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('The renderer of forms did not come.')), patienceMilliseconds)
  })

/** Browsers make ids only for pages that are safe from others on the line. Over plain http to another machine the engine would find
 * nobody to make them, and open no form at all. */
const helpWithIds = (): void => {
  if (!('randomUUID' in crypto)) Object.defineProperty(crypto, 'randomUUID', { value: newId })
}

let loading: Promise<Component> | undefined

const load = async (app: App): Promise<Component> => {
  helpWithIds()
  const [renderer] = await Promise.race([Promise.all([import('@getodk/web-forms'), loadTiles()]), late()])
  app.use(renderer.webFormsPlugin)
  speak(app)
  return markRaw(renderer.OdkWebForm)
}

export const loadRenderer = (app: App): Promise<Component> => {
  loading ??= load(app).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
