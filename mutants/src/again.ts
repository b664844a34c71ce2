// Once more what the kept report lets through: whether tests that were written since find it.
import { type Mutant, nameOf } from './mutant.js'
import { type RoomResult, unreachedRemark } from './report.js'

type Unnumbered = Omit<Mutant, 'id'>

/** `file:line  what → what`. */
const partsOf = (name: string) => {
  const [, file = '', line = '', change = ''] = /^([^:]*):(\d+) {2}(.*)$/.exec(name) ?? []
  return { file, line: Number(line), change }
}

const changeOf = (mutant: Unnumbered): string => partsOf(nameOf({ ...mutant, id: 0 })).change

/** Of those that are offered now: lines have moved since, and the same change may be offered several times in a file. What is not
 * there any more is left out. */
export const letThrough = (
  { survivors }: Pick<RoomResult, 'survivors'>,
  offered: readonly Unnumbered[],
): Unnumbered[] => {
  const found = new Set<Unnumbered>()
  for (const { file, line, change } of survivors.map((one) => partsOf(one.replace(unreachedRemark, '')))) {
    const [nearest] = offered
      .filter((one) => one.file === file && changeOf(one) === change && !found.has(one))
      .sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))
    if (nearest !== undefined) found.add(nearest)
  }
  return offered.filter((one) => found.has(one))
}

/** The report of a room with what came of them now. */
export const withAgain = (kept: RoomResult, again: RoomResult): RoomResult => ({
  seed: kept.seed,
  offered: again.offered,
  made: kept.made - kept.survivors.length + again.made,
  killed: kept.killed + again.killed,
  equivalent: kept.equivalent + again.equivalent,
  survivors: again.survivors,
})
