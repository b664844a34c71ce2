// The service worker of /f/: keeps the program, so that it opens without a line, and sends what waits when the browser says that
// there is one. Forms and answers lie in the database, which pages read themselves. A new version waits until a page is loaded, or
// somebody wants it: a page is never changed under whoever fills it in.
import { sendWaiting, waitingCount } from '../keep/sender'
import { syncTag } from '../keep/sync-tag'
import type { WorkerScope } from './scope'
import { type Build, cacheName, cachesToForget, filesToKeep, handlingOf, isOldCache, pagePath } from './shell'

declare const __BUILD__: Build
declare const self: WorkerScope

const build = __BUILD__
const cache = (): Promise<Cache> => caches.open(cacheName(build))

const pathsBefore = async (): Promise<string[]> => {
  const names = (await caches.keys()).filter((name) => isOldCache(name, build))
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
  return requests.flat().map(({ url }) => new URL(url).pathname)
}

/** The page with the headers that came with it: its policy names the nonce that it has. */
const keepPage = async (into: Cache): Promise<void> => {
  const page = await fetch(pagePath, { headers: { accept: 'text/html' }, cache: 'no-store', credentials: 'omit' })
  if (!page.ok) throw new Error(`The page answered ${page.status}.`)
  await into.put(pagePath, page)
}

const install = async (): Promise<void> => {
  const into = await cache()
  await Promise.all([into.addAll(filesToKeep(build, await pathsBefore())), keepPage(into)])
}

const activate = async (): Promise<void> => {
  const old = cachesToForget(await caches.keys(), build)
  await Promise.all(old.map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** Which language or part it has is the address alone: what a proxy says of encodings does not matter. */
const kept = async (path: string): Promise<Response | undefined> => (await cache()).match(path, { ignoreVary: true })

/** A new version is there, and at most the page that is loaded anew has this one. */
const mayChange = async (): Promise<boolean> =>
  self.registration.waiting !== null && (await self.clients.matchAll()).length < 2

/** How long a page is asked for again and again until the new version answers, and when that is tried anew. */
const [patience, pause] = [5_000, 60_000]
let triedAt = Number.NEGATIVE_INFINITY

/** The browser may leave a new version waiting although it was asked to take over: nobody is to look at an empty page for that. */
const isWorthATry = (): boolean => {
  // Not the time of day: that of a phone may be set back.
  const now = performance.now()
  if (now - triedAt > pause) triedAt = now
  return now - triedAt < patience
}

const answerPage = async (request: Request): Promise<Response> => {
  if ((await mayChange()) && isWorthATry()) {
    self.registration.waiting?.postMessage('activate')
    // Asked for again at once; the new version answers that.
    return new Response('', { headers: { refresh: '0', 'content-type': 'text/html' } })
  }
  return (await kept(pagePath)) ?? fetch(request)
}

const answerFile = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  // Names carry a hash: what a version before this one kept is the same.
  const there = (await kept(pathname)) ?? (await caches.match(pathname, { ignoreVary: true }))
  if (there !== undefined) return there
  const answer = await fetch(request)
  if (answer.ok && build.all.includes(pathname)) await (await cache()).put(pathname, answer.clone())
  return answer
}

/** What a page had loaded before there was a worker. */
const keepUsed = async (paths: readonly string[]): Promise<void> => {
  const into = await cache()
  for (const path of paths.filter((one) => build.all.includes(one))) {
    if ((await into.match(path, { ignoreVary: true })) === undefined) await into.add(path)
  }
}

/** Rejects while something still waits: the browser comes again. */
const send = async (): Promise<void> => {
  await sendWaiting({ isWoken: true })
  if ((await waitingCount()) > 0) throw new Error('Something still waits.')
}

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const handling = handlingOf(event.request, self.location.origin)
  if (handling === 'page') event.respondWith(answerPage(event.request))
  if (handling === 'file') event.respondWith(answerFile(event.request))
})
self.addEventListener('message', (event) => {
  if (event.data === 'activate') event.waitUntil(self.skipWaiting())
  if (Array.isArray(event.data)) event.waitUntil(keepUsed(event.data.map(String)).catch(() => undefined))
})
self.addEventListener('sync', (event) => {
  if (event.tag === syncTag) event.waitUntil(send())
})
