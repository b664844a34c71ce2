// Which files of the program are kept, and under which name. Names of files carry a hash: `outbox-B7f0c2Aa.js`.

/** What the build knows: put in by `web/worker.ts`. */
export interface Build {
  readonly version: string
  /** Needed to open any form without a line. */
  readonly core: readonly string[]
  /** Everything: languages, maps and other places are kept by whoever uses them. */
  readonly all: readonly string[]
}

const prefix = 'sheaf-shell-'

export const cacheName = ({ version }: Build): string => prefix + version

export const isOldCache = (name: string, build: Build): boolean => name.startsWith(prefix) && name !== cacheName(build)

/** Caches that go when this version takes over, of all in the order in which they were made: the one before it stays, for pages
 * that are still open with it and may want another part. */
export const cachesToForget = (names: readonly string[], build: Build): string[] =>
  names.filter((name) => isOldCache(name, build)).slice(0, -1)

/** Without its hash. */
const stem = (path: string): string => path.replace(/-[\w-]{8}\.(?=\w+$)/, '.')

/** The core, and what a version before this one was asked for: a language that was read stays readable without a line. */
export const filesToKeep = ({ core, all }: Build, before: readonly string[]): string[] => {
  const used = new Set(before.map(stem))
  return [...new Set([...core, ...all.filter((path) => used.has(stem(path)))])]
}

export const pagePath = '/f/outbox'

export type Handling = 'page' | 'file' | 'none'

/** Only what is below /f/ and is read. Everything else goes its way as if there was no worker. */
export const handlingOf = (
  { method, mode, url }: Pick<Request, 'method' | 'mode' | 'url'>,
  origin: string,
): Handling => {
  const { origin: other, pathname } = new URL(url)
  if (method !== 'GET' || other !== origin || !pathname.startsWith('/f/')) return 'none'
  if (pathname.startsWith('/f/assets/')) return 'file'
  return mode === 'navigate' ? 'page' : 'none'
}
