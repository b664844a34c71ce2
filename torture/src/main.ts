// npm run torture [-- --seed N] [--minutes N] [--only NAME] [--write]
import { type Chance, chanceOf, chooseParts, print, showProgress, startS3StandIn, type Tell } from '@sheaf/harness'
import { addService, prepareTarget } from './account.js'
import { settle, startLoad } from './client.js'
import { type Compared, compare } from './comparison.js'
import { type Context, type Fault, pause } from './fault.js'
import { killBackups } from './faults/backup.js'
import { hangUps, overload, slowClients } from './faults/clients.js'
import { killPostgres, refuseConnections } from './faults/database.js'
import { fullDisk } from './faults/full-disk.js'
import { killServerAlone, killServerAndDatabase } from './faults/kill-server.js'
import { killNodes } from './faults/nodes.js'
import { Ledger } from './ledger.js'
import { Place } from './place.js'
import { startReceiver, startSilentReceiver } from './receiver.js'
import { type Done, isClean, plain, type Report, writeReport } from './report.js'

const faults: readonly Fault[] = [
  killServerAndDatabase,
  killPostgres,
  fullDisk,
  slowClients,
  hangUps,
  overload,
  refuseConnections,
  killServerAlone,
  killNodes,
  killBackups,
]

const help = `Starts the server, loads it, breaks it, and looks whether anything was lost. Ends with 1 if so.

  npm run torture                          all faults, about five minutes
  npm run torture -- --seed 7              the same choices again
  npm run torture -- --minutes 1           a shorter run, with fewer of each fault
  npm run torture -- --only kill-postgres  one fault
  npm run torture -- --only nodes          the same, with files in an S3 store
  npm run torture -- --write               keep the report in docs/reliability.md

All the while, a receiver of a rest service takes every call and never answers.
`

const senders = 6
const usualMinutes = 5
/** Files that arrived this short before are not judged by the verification. */
const settledMs = 6000

interface Options {
  readonly seed: number
  readonly minutes: number
  readonly chosen: readonly Fault[]
}

/** Each fault while submissions arrive; overload makes its own. */
const runFault = async (fault: Fault, context: Context, chance: Chance): Promise<string | undefined> => {
  const { target, ledger, find } = context
  const load = fault === overload ? undefined : startLoad(target, ledger, chance, senders)
  try {
    return await fault.run(context)
  } finally {
    await load?.stop()
    for (const { status, retryAfter } of load?.rude ?? []) find(`${fault.name}: ${status}, Retry-After ${retryAfter}`)
  }
}

const torture = async ({ seed, minutes, chosen }: Options, tell: Tell) => {
  const begun = performance.now()
  // Others fill the disk of the files.
  const s3 = chosen.every((fault) => fault === killNodes) ? await startS3StandIn() : undefined
  const place = await Place.open(s3 === undefined ? {} : { filesUrl: s3.url })
  const [answering, silent] = [await startReceiver(), await startSilentReceiver()]
  const ledger = new Ledger()
  const findings: string[] = []
  // Whoever stops it finds nothing of it left.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void place.remove().finally(() => process.exit(1)))
  }
  try {
    await place.start('own')
    const target = await prepareTarget(place.address)
    const services = {
      answering: await addService(target, answering),
      silent: await addService(target, silent),
      receiver: answering,
    }
    const whole = chosen.reduce((sum, { weight }) => sum + weight, 0) * 1.15
    const done: Done[] = []
    let through = 0
    for (const [number, fault] of chosen.entries()) {
      // A stream of chance for each: leaving one out does not change the others.
      const chance = chanceOf(seed * 1000 + number)
      const context: Context = {
        place,
        target,
        ledger,
        chance,
        scale: minutes / usualMinutes,
        find: (what) => findings.push(`${fault.name}: ${what}`),
        say: (what) => tell(through / whole, `${fault.name}: ${what}`),
      }
      tell(through / whole, fault.name)
      const result = await runFault(fault, context, chanceOf(seed * 1000 + 500 + number))
      done.push({ name: fault.name, description: fault.description, result })
      through += fault.weight
    }
    tell(through / whole, 'sending again what nobody knew of')
    await place.start('own')
    const left = await settle(target, ledger, 60)
    if (left > 0) findings.push(`${left} submissions were not taken in the end`)
    tell(through / whole, 'comparing')
    await pause(settledMs)
    const compared = [...(await compare(place, target, ledger, services)), silence(silent.calls)]
    await place.stop()
    findings.push(...new Set(place.errors.map((line) => `logged: ${line.slice(0, 300)}`)))
    const seconds = (performance.now() - begun) / 1000
    const { acknowledgements: acknowledged, statuses } = ledger
    const { starts } = place
    return { seed, minutes, seconds, starts, acknowledged, statuses, done, compared, findings } satisfies Report
  } finally {
    await place.remove()
    await s3?.close()
    answering.close()
    silent.close()
  }
}

const silence = (calls: number): Compared => ({
  what: 'A receiver that never answers was called and held nobody up',
  result: `${calls} calls, none answered`,
  isRight: calls > 0,
})

const choice = chooseParts({ parts: faults, word: 'fault', minutes: usualMinutes, help })
if (choice !== undefined) {
  const progress = showProgress()
  const report = await torture(choice, progress.tell).finally(progress.stop)
  print(plain(report))
  if (choice.isKept) {
    writeReport(report)
    print('Written to docs/reliability.md.\n')
  }
  process.exitCode = isClean(report) ? 0 : 1
}
