// What was tried and what was let through: for the terminal, and kept for docs/mutants.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { equivalents } from './equivalents.js'
import type { Verdict } from './hunt.js'
import { nameOf } from './mutant.js'

export interface RoomResult {
  readonly seed: number
  /** How many changes its sources offer. */
  readonly offered: number
  readonly made: number
  readonly killed: number
  readonly equivalent: number
  /** As they are printed. */
  readonly survivors: readonly string[]
}

export type Results = Readonly<Record<string, RoomResult>>

/** Of 100 changes, so many are to be found. */
const aim = 95

const shareOf = ({ made, killed, equivalent }: RoomResult): number =>
  made === equivalent ? 100 : (100 * killed) / (made - equivalent)

export const isGood = (results: Results): boolean => Object.values(results).every((one) => shareOf(one) >= aim)

/** Behind the name of a change. */
export const unreachedRemark = '  (no test comes here)'

const survivorLine = ({ mutant, outcome }: Verdict): string =>
  `${nameOf(mutant)}${outcome === 'unreached' ? unreachedRemark : ''}`

export const resultOf = (
  verdicts: readonly Verdict[],
  { seed, offered, equivalent }: { seed: number; offered: number; equivalent: number },
): RoomResult => {
  const survived = verdicts.filter(({ outcome }) => outcome !== 'killed')
  return {
    seed,
    offered,
    made: verdicts.length + equivalent,
    killed: verdicts.length - survived.length,
    equivalent,
    survivors: survived.map(survivorLine).sort(),
  }
}

const percent = (result: RoomResult): string => `${Math.floor(shareOf(result))} %`

export const plain = (results: Results): string =>
  Object.entries(results)
    .flatMap(([room, result]) => [
      `${room}: ${result.made} of ${result.offered} changes made, ${result.killed} found, ${result.survivors.length} let through, ${result.equivalent} change nothing: ${percent(result)}`,
      ...result.survivors.map((line) => `  ${line}`),
    ])
    .join('\n')

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('`', "'")

const markdown = (results: Results): string => {
  const rooms = Object.entries(results)
  const survivors = rooms.filter(([, result]) => result.survivors.length > 0)
  return [
    '# Changes that the tests find',
    '',
    `\`npm run mutants\` changes one rule of the server at a time: a comparison, a condition that is dropped, a guard, a limit by one, a call that is left out or not waited for, a condition, a lock or an order in SQL. For each it runs the tests of its room, then others that come to the changed function. A change that no test notices is a rule without a test. The aim is ${aim} of 100.`,
    '',
    'A sample of the changes that each room offers; the same seed makes the same ones. Written by `npm run mutants -- --write`.',
    '',
    '| Room | Offered | Made | Found | Let through | Change nothing | Share found | Seed |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...rooms.map(
      ([room, one]) =>
        `| \`${room}\` | ${one.offered} | ${one.made} | ${one.killed} | ${one.survivors.length} | ${one.equivalent} | ${percent(one)} | ${one.seed} |`,
    ),
    '',
    ...(survivors.length === 0 ? [] : ['## Let through', '']),
    ...survivors.flatMap(([room, { survivors: lines }]) => [
      `### \`${room}\``,
      '',
      ...lines.map((line) => `- \`${cell(line)}\``),
      '',
    ]),
    ...(equivalents.length === 0 ? [] : ['## Change nothing', '', '| File | Change | Why |', '|---|---|---|']),
    ...equivalents.map(
      ({ file, before, after, why }) =>
        `| \`${basename(file)}\` | \`${cell(before)}\` → \`${cell(after === '' ? '(nothing)' : after)}\` | ${cell(why)} |`,
    ),
    '',
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}

const keptPath = new URL('../results.json', import.meta.url)
const docPath = new URL('../../docs/mutants.md', import.meta.url)

export const kept = (): Results => {
  try {
    return JSON.parse(readFileSync(keptPath, 'utf8')) as Results
  } catch {
    return {}
  }
}

/** Rooms that were not looked at keep what was found the last time. */
export const write = (results: Results, order: readonly string[]): void => {
  const merged = { ...kept(), ...results }
  const place = (room: string) => (order.includes(room) ? order.indexOf(room) : order.length)
  const sorted = Object.fromEntries(Object.entries(merged).sort(([a], [b]) => place(a) - place(b)))
  writeFileSync(keptPath, `${JSON.stringify(sorted, null, 2)}\n`)
  writeFileSync(docPath, markdown(sorted))
}
