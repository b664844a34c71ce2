/** Edits (insert, delete, replace, swap of neighbours) between two words, or more than `limit` as `limit + 1`. */
export const editDistance = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const current = nextLine(a, b, i, previous, before)
    if (Math.min(...current) > limit) return limit + 1
    before = previous
    previous = current
  }
  return previous[b.length] ?? limit + 1
}

/** Distances of the first `i` letters of `a` to every beginning of `b`. */
const nextLine = (
  a: string,
  b: string,
  i: number,
  previous: readonly number[],
  before: readonly number[],
): number[] => {
  const current = [i]
  for (let j = 1; j <= b.length; j += 1) {
    const cost = a[i - 1] === b[j - 1] ? 0 : 1
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
    current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost, swapped))
  }
  return current
}

// Hints are a courtesy: past these sizes looking for one would cost more than it gives.
const maxCandidates = 20_000
const maxLength = 80
/** Pairs of letters that are compared. Names that differ in their last letters alone are compared to the end: 20,000 of 80
 * letters took a second. */
const maxPairs = 2_000_000

/** The known word closest to a misspelt one, case ignored; undefined when nothing is within `limit` edits. */
export const nearest = (word: string, known: Iterable<string>, limit = 2): string | undefined => {
  if (word.length > maxLength) return undefined
  const wanted = word.toLowerCase()
  // A word of three letters is within two edits of half the language.
  const allowed = Math.min(limit, wanted.length <= 3 ? 1 : limit)
  let best: string | undefined
  let bestDistance = allowed + 1
  let tried = 0
  let pairs = 0
  for (const candidate of known) {
    tried += 1
    if (Math.abs(candidate.length - wanted.length) <= allowed) pairs += candidate.length * wanted.length
    if (tried > maxCandidates || pairs > maxPairs) break
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance - 1)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
      if (distance === 0) break
    }
  }
  return best
}

/** ` Did you mean 'text'?`, or nothing. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const found = nearest(word, known)
  return found === undefined ? '' : ` Did you mean '${found}'?`
}
