// The service worker of /f/: keeps the program, so that it opens without a line, and sends what waits when the browser says that
// there is one. Forms and answers lie in the database, which pages read themselves. A new version waits until somebody wants it:
// a page is never changed under whoever fills it in.
import { sendWaiting, waitingCount } from '../keep/sender'
import { syncTag } from '../keep/sync-tag'
import type { WorkerScope } from './scope'
import { type Build, cacheName, filesToKeep, handlingOf, isOldCache, pagePath } from './shell'

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
  const old = (await caches.keys()).filter((name) => isOldCache(name, build))
  await Promise.all(old.map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** Which language or part it has is the address alone: what a proxy says of encodings does not matter. */
const kept = async (path: string): Promise<Response | undefined> => (await cache()).match(path, { ignoreVary: true })

const answerPage = async (request: Request): Promise<Response> => (await kept(pagePath)) ?? fetch(request)

const answerFile = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  const there = await kept(pathname)
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
