import type { Entries } from './catalogue'

/** Files of a folder by their name alone: `./fr/home.ts` is `home`. */
export const byName = (files: Record<string, unknown>): Readonly<Record<string, Entries>> =>
  Object.fromEntries(
    Object.entries(files).map(([path, entries]) => [
      path.split('/').at(-1)?.replace(/\.ts$/, '') ?? '',
      entries as Entries,
    ]),
  )
