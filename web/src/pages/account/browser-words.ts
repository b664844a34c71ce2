/** The server keeps "Firefox on Android" or "Firefox" alone; a blank where the browser did not say. */
export const wordsOf = (kept: string): { browser: string; system?: string } | undefined => {
  if (kept === '') return undefined
  const [browser = kept, system] = kept.split(' on ', 2)
  return system === undefined ? { browser } : { browser, system }
}
