// The worker from the side of the page: registered once, told what is in use, and asked to take over when somebody wants the new
// version.
import { shallowRef } from 'vue'

/** A new version of the program is there, and waits. */
export const newProgram = shallowRef<ServiceWorker>()
/** Another tab has changed to it: this one runs an older version. */
export const isOutdated = shallowRef(false)

const hour = 3_600_000

const watch = (registration: ServiceWorkerRegistration): void => {
  // The first worker of a browser replaces nothing. Whether this page is served by one does not matter: it is not after a reload with
  // Shift, nor where it was asked for while the first one began.
  const look = (): void => {
    if (registration.waiting !== null && registration.active !== null) newProgram.value = registration.waiting
  }
  look()
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look))
  setInterval(() => void registration.update().catch(() => undefined), hour)
}

/** Scripts and styles that were loaded before there was a worker; it keeps those that belong to the program. */
const used = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith('/f/assets/'))

let isWanted = false

/** Loads the page anew with the new version. What was typed is kept by its page, which is told that it goes. */
export const useNewProgram = (): void => {
  isWanted = true
  if (newProgram.value === undefined || isOutdated.value) location.reload()
  else newProgram.value.postMessage('activate')
}

const start = async (): Promise<void> => {
  const { serviceWorker } = navigator
  let had = serviceWorker.controller
  serviceWorker.addEventListener('controllerchange', () => {
    if (isWanted) location.reload()
    else if (had !== null || newProgram.value !== undefined) isOutdated.value = true
    had = serviceWorker.controller
  })
  watch(await serviceWorker.register('/f/sw.js', { scope: '/f/' }))
  const { active } = await serviceWorker.ready
  const tell = (): void => active?.postMessage(used())
  tell()
  // What is loaded while the first form is opened.
  setTimeout(tell, 10_000)
}

/** Once a page. Browsers have none in private windows, and over http to another machine: then everything else works. */
export const startWorker = (): void => {
  if ('serviceWorker' in navigator) void start().catch(() => undefined)
}
