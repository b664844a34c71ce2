// npm run mutants [-- --room NAME] [--changed COMMIT] [--most N] [--seed N] [--seconds N] [--again] [--write]
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { isGood, kept, plain, write } from './report.js'
import { foldersOf, usualRooms } from './rooms.js'
import { tryOut } from './try-out.js'

const help = `Changes one rule of the server at a time and runs the tests that reach it. Ends with 1 where fewer than 95 of 100 are found.

  npm run mutants                           the rooms where it matters most: ${usualRooms.join(', ')}
  npm run mutants -- --room permissions     one room, with what is in its folder; can be given several times
  npm run mutants -- --changed main         only lines that were changed since a commit
  npm run mutants -- --most 20              so many changes a room, instead of 100
  npm run mutants -- --seed 7               other changes
  npm run mutants -- --seconds 0            only tests of the room itself, instead of a minute of others for each change
  npm run mutants -- --tests projects/      only tests whose path has this, or matches it
  npm run mutants -- --again                only what the kept report lets through
  npm run mutants -- --write                keep the report in docs/mutants.md
  npm run mutants -- --why                  say for each change which test has found it

The first run records which test comes to which function, which takes as long as all tests do; later ones ask what has changed.
Nothing is written into the sources: changes are made as they are loaded.
`

const print = (text: string): void => void process.stdout.write(text)

/** A bar for people; for a log, a line now and then. */
const showProgress = () => {
  if (process.stdout.isTTY !== true) {
    let last = ''
    return {
      tell: (done: number, of: number, what: string) => {
        const tenth = `${what} ${Math.floor((10 * done) / Math.max(of, 1))}`
        if (tenth !== last) print(`  ${what}: ${done} of ${of}\n`)
        last = tenth
      },
      stop: () => undefined,
    }
  }
  const bar = new SingleBar({ format: '  {bar} {value} of {total}: {what}', clearOnComplete: true, hideCursor: true })
  bar.start(1, 0, { what: 'starting' })
  return {
    tell: (done: number, of: number, what: string) => {
      bar.setTotal(of)
      bar.update(done, { what: what.slice(0, 60) })
    },
    stop: () => bar.stop(),
  }
}

const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true },
    changed: { type: 'string' },
    most: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    tests: { type: 'string', default: '' },
    /** Where `src` and the tests are; for the test of this program. */
    root: { type: 'string', default: fileURLToPath(new URL('../../server', import.meta.url)) },
    again: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    why: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const root = resolve(values.root)
const [most, seed, seconds] = [Number(values.most), Number(values.seed), Number(values.seconds)]
const unknown = (values.room ?? []).filter((room) => foldersOf(root, room).length === 0)
const isUsable = unknown.length === 0 && Number.isInteger(most) && most > 0 && Number.isInteger(seed) && seconds >= 0

if (values.help || !isUsable) {
  print(`${unknown.length > 0 ? `There is no room ${unknown.join(', ')}.\n\n` : ''}${help}`)
  process.exitCode = isUsable ? 0 : 1
} else {
  const stopped = new AbortController()
  process.once('SIGINT', () => stopped.abort())
  process.once('SIGTERM', () => stopped.abort())
  const progress = showProgress()
  const { changed, why } = values
  const again = values.again ? kept() : undefined
  const rooms = values.room ?? (again !== undefined ? Object.keys(again) : changed === undefined ? usualRooms : [])
  const results = await tryOut(
    { root, rooms, changed, most, seed, seconds, tests: new RegExp(values.tests), again, signal: stopped.signal },
    { progress: progress.tell, say: why ? (line) => print(`${line}\n`) : () => undefined },
  ).finally(progress.stop)
  print(`${plain(results)}\n`)
  if (stopped.signal.aborted) print('Stopped: what was not tried is not counted.\n')
  else if (values.write) {
    write(results, usualRooms)
    print('Written to docs/mutants.md.\n')
  }
  // Vitest keeps something open for a while after its end.
  process.exit(!stopped.signal.aborted && isGood(results) ? 0 : 1)
}
