// From chosen rooms to what became of each change.
import { letThrough, withAgain } from './again.js'
import { changedSince } from './changed.js'
import { isEquivalent } from './equivalents.js'
import { Hunt, type Verdict } from './hunt.js'
import { withSwitches } from './instrument.js'
import { Lab } from './lab.js'
import { type Mutant, nameOf } from './mutant.js'
import { Reach } from './reach.js'
import { type Results, resultOf } from './report.js'
import { foldersOf, type Source, sourceAt, sourcesOf, usableTests } from './rooms.js'
import { sample } from './sample.js'
import { parse } from './syntax.js'

export interface Options {
  readonly root: string
  readonly rooms: readonly string[]
  readonly changed: string | undefined
  /** Changes a room. */
  readonly most: number
  readonly seed: number
  /** How long tests of other rooms may take for one change. */
  readonly seconds: number
  /** Only tests whose path matches. */
  readonly tests: RegExp
  /** Only what these let through. */
  readonly again: Results | undefined
  readonly signal: AbortSignal
}

export interface Telling {
  progress(done: number, of: number, what: string): void
  say(line: string): void
}

interface Chosen {
  readonly room: string
  readonly offered: number
  readonly equivalent: number
  readonly mutants: readonly Mutant[]
}

const choose = ({ root, rooms, changed, most, seed, again }: Options): { chosen: Chosen[]; sources: Source[] } => {
  const lines = changed === undefined ? undefined : changedSince(root, changed)
  const isWanted = (file: string, line: number) => lines === undefined || lines.get(file)?.(line) === true
  const ofChanges = [...(lines?.keys() ?? [])].flatMap((file) => sourceAt(root, file) ?? [])
  const named = rooms.length > 0 ? rooms : [...new Set(ofChanges.map(({ room }) => room))]
  const sourcesIn = (room: string) =>
    rooms.length > 0 ? sourcesOf(root, room) : ofChanges.filter((source) => source.room === room)
  let id = 0
  const chosen = named.map((room) => {
    const sources = sourcesIn(room)
    const offered = sample(sources, { seed, most: Number.POSITIVE_INFINITY }, isWanted)
    const kept = again?.[room]
    const all = kept === undefined ? sample(sources, { seed, most }, isWanted) : letThrough(kept, offered)
    const mutants = all.filter((one) => !isEquivalent(one)).map((one) => ({ ...one, id: ++id }))
    return { room, offered: offered.length, equivalent: all.length - mutants.length, mutants }
  })
  return { chosen, sources: named.flatMap(sourcesIn) }
}

/** Tests of the room first, then others for as long as they may take. */
const testsFor = (
  mutant: Mutant,
  source: string,
  tests: readonly string[],
  reach: Reach,
  own: Set<string>,
  ms: number,
) => {
  const reaching = reach.reaching(mutant, source, tests)
  const others: string[] = []
  let left = ms
  for (const one of reaching.filter(({ test }) => !own.has(test))) {
    if (one.ms > left) continue
    left -= one.ms
    others.push(one.test)
  }
  return [...reaching.filter(({ test }) => own.has(test)).map(({ test }) => test), ...others]
}

export const tryOut = async (options: Options, { progress, say }: Telling): Promise<Results> => {
  const { root, seed, seconds, signal } = options
  const { chosen, sources } = choose(options)
  const mutants = chosen.flatMap((one) => one.mutants)
  const textOf = new Map(sources.map(({ file, text }) => [file, text]))
  const changed = (file: string, text: string): string =>
    withSwitches(
      file,
      text,
      mutants.filter((mutant) => mutant.file === file),
    )
  // What cannot be read would fail every test, and every change in it would count as found.
  for (const { file, text } of sources) parse(file, changed(file, text))
  const lab = await Lab.open(root, changed)
  let done = 0
  const reach = new Reach(root)
  const hunt = new Hunt(
    lab,
    (test) => reach.withinMs(test),
    ({ mutant, outcome, by }: Verdict) => {
      progress(++done, mutants.length, 'changes')
      say(`${outcome.padEnd(9)} ${nameOf(mutant)}\n            ${by.replace(/\s+/g, ' ').slice(0, 200)}`)
    },
  )
  signal.addEventListener('abort', () => {
    hunt.isStopped = true
    void lab.cancel()
  })
  try {
    const tests = usableTests(await lab.tests()).filter((test) => options.tests.test(test))
    const isOwn = (test: string) =>
      chosen.some(({ room }) => foldersOf(root, room).some((one) => test.startsWith(`${one}/`)))
    const wanted = seconds > 0 ? tests : tests.filter(isOwn)
    const missing = reach.missing(wanted)
    let recorded = 0
    if (missing.length > 0) await reach.record(missing, signal, () => progress(++recorded, missing.length, 'recording'))
    for (const { test, failure } of reach.failing(wanted)) say(`not used: ${test} fails without any change: ${failure}`)
    for (const { room, mutants: ofRoom } of chosen) {
      const folders = foldersOf(root, room)
      const own = new Set(tests.filter((test) => folders.some((folder) => test.startsWith(`${folder}/`))))
      const prey = ofRoom.map((mutant) => ({
        mutant,
        tests: testsFor(mutant, textOf.get(mutant.file) ?? '', wanted, reach, own, seconds * 1000),
      }))
      await hunt.all(prey)
    }
  } finally {
    await lab.close()
  }
  return Object.fromEntries(
    chosen.map(({ room, mutants: ofRoom, ...rest }) => {
      const verdicts = hunt.verdicts.filter(({ mutant }) => ofRoom.includes(mutant))
      const result = resultOf(verdicts, { seed, ...rest })
      const kept = options.again?.[room]
      return [room, kept === undefined ? result : withAgain(kept, result)]
    }),
  )
}
