// Colours that say an answer: choices by how often they are given, numbers in steps of about as many records each.

export interface Category {
  readonly label: string
  /** A token, or two of them mixed. */
  readonly colour: (token: (name: string) => string) => string
}

export interface Scale {
  readonly categories: readonly Category[]
  readonly indexOf: (value: string | undefined) => number
}

const hexPattern = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i

/** `share` of the first; both as `#rrggbb`, else the first. */
export const mixed = (first: string, second: string, share: number): string => {
  const [a, b] = [hexPattern.exec(first.trim()), hexPattern.exec(second.trim())]
  if (a === null || b === null) return first
  const channel = (place: number) =>
    Math.round(Number.parseInt(a[place] ?? '0', 16) * share + Number.parseInt(b[place] ?? '0', 16) * (1 - share))
      .toString(16)
      .padStart(2, '0')
  return `#${channel(1)}${channel(2)}${channel(3)}`
}

const token =
  (name: string): Category['colour'] =>
  (read) =>
    read(name)

export const oneColour = (label: string): Scale => ({
  categories: [{ label, colour: token('--accent') }],
  indexOf: () => 0,
})

/** As many colours as people tell apart. */
const mostColours = 7

/** By answers, the most frequent first. */
export const choiceScale = (
  values: readonly (string | undefined)[],
  labelOf: (value: string) => string,
  words: { readonly other: string; readonly none: string },
): Scale => {
  const counts = new Map<string, number>()
  let empty = 0
  for (const value of values) {
    if (value === undefined || value === '') empty += 1
    else counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const names = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name)
  const shown = names.slice(0, mostColours)
  const places = new Map(shown.map((name, index) => [name, index]))
  const categories: Category[] = shown.map((name, index) => ({
    label: labelOf(name),
    colour: token(`--chart-${index + 1}`),
  }))
  const otherIndex =
    names.length > shown.length ? categories.push({ label: words.other, colour: token('--chart-8') }) - 1 : -1
  const noneIndex = empty > 0 ? categories.push({ label: words.none, colour: token('--field') }) - 1 : -1
  return {
    categories,
    indexOf: (value) => (value === undefined || value === '' ? noneIndex : (places.get(value) ?? otherIndex)),
  }
}

const steps = 5

/** By number: light for little, strong for much. */
export const numberScale = (
  values: readonly (string | undefined)[],
  words: { readonly none: string; readonly range: (from: number, to: number) => string },
): Scale => {
  const numberOf = (value: string | undefined) =>
    value === undefined || value.trim() === '' ? Number.NaN : Number(value)
  const numbers = Float64Array.from(values.map(numberOf).filter(Number.isFinite)).sort()
  const bounds = [
    ...new Set(Array.from({ length: steps }, (_, step) => numbers[Math.floor((step * numbers.length) / steps)])),
  ].filter((bound): bound is number => bound !== undefined)
  const last = numbers.at(-1) ?? 0
  const endOf = (place: number): number => {
    const next = bounds[place + 1]
    if (next === undefined) return last
    // The greatest that is still below the next bound.
    let low = 0
    let high = numbers.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[middle] ?? 0) < next) low = middle + 1
      else high = middle
    }
    return numbers[low - 1] ?? next
  }
  const categories: Category[] = bounds.map((from, place) => ({
    label: words.range(from, endOf(place)),
    colour: (read) =>
      mixed(read('--chart-3'), read('--card'), bounds.length < 2 ? 1 : 0.3 + (0.7 * place) / (bounds.length - 1)),
  }))
  const hasNone = numbers.length < values.length
  const noneIndex = hasNone ? categories.push({ label: words.none, colour: token('--field') }) - 1 : -1
  return {
    categories,
    indexOf: (value) => {
      const number = numberOf(value)
      if (!Number.isFinite(number)) return noneIndex
      return Math.max(
        0,
        bounds.findLastIndex((bound) => number >= bound),
      )
    },
  }
}
