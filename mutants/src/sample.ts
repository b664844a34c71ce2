// Which changes are tried: the same ones for the same seed, also when lines were added elsewhere or a file has moved.
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Mutant } from './mutant.js'
import { mutantsOf } from './mutations.js'
import type { Source } from './rooms.js'

type Unnumbered = Omit<Mutant, 'id'>

const rankOf = (seed: number, { file, before, after }: Unnumbered, occurrence: number): string =>
  createHash('sha256')
    .update([seed, basename(file), before, after, occurrence].join('\0'))
    .digest('hex')

export const sample = (
  sources: readonly Source[],
  { seed, most }: { seed: number; most: number },
  isWanted: (file: string, line: number) => boolean = () => true,
): Unnumbered[] => {
  const occurrences = new Map<string, number>()
  const all = sources.flatMap(({ file, text }) => mutantsOf(file, text, (line) => isWanted(file, line)))
  return all
    .map((mutant) => {
      const key = [mutant.file, mutant.before, mutant.after].join('\0')
      const occurrence = occurrences.get(key) ?? 0
      occurrences.set(key, occurrence + 1)
      return { mutant, rank: rankOf(seed, mutant, occurrence) }
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, most)
    .map(({ mutant }) => mutant)
    .sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1))
}
