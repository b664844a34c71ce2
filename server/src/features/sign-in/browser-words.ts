// What a browser calls itself, in words that people know. Only words of ours are kept: the header says whatever its sender
// likes, and longer than anybody reads.

/** The first that fits: most of them also name those that follow. */
const browsers: readonly (readonly [sign: string, name: string])[] = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const systems: readonly (readonly [sign: string, name: string])[] = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
]

/** Longer ones are cut before anything is looked for. */
const longest = 500

/** Blank for what is no browser that is known. */
export const browserInWords = (userAgent: string | undefined): string => {
  const text = (userAgent ?? '').slice(0, longest)
  const named = (table: typeof browsers) => table.find(([sign]) => text.includes(sign))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  if (browser === undefined) return system ?? ''
  return system === undefined ? browser : `${browser} on ${system}`
}
