// npm run attack [-- --seed N] [--minutes N] [--only NAME] [--all] [--write]
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { attack, parts } from './attack.js'
import { isClean, plain, writeReport } from './report.js'

const usualMinutes = 10

const help = `Starts the server and attacks it as somebody with an account, and somebody without, would. Ends with 1 if anything did not hold.

  npm run attack                      all parts, about ten minutes
  npm run attack -- --seed 7          the same choices again
  npm run attack -- --minutes 2       a shorter run, with fewer of each
  npm run attack -- --only growth     one part; can be given several times
  npm run attack -- --all             print every case that was found, with its whole curl
  npm run attack -- --write           keep the report in docs/security-report.md

What is attacked is read from the server's own description, so whatever is added to it is attacked too.
All the while, stalls of the event loop are measured: one of more than 100 ms at work is a finding.

${parts.map(({ name, description }) => `  ${name.padEnd(11)} ${description}`).join('\n')}
`

const print = (text: string): void => void process.stdout.write(text)

/** A bar for people; for a log, a line for each part. */
const showProgress = () => {
  if (process.stdout.isTTY !== true) {
    let last = ''
    const tell = (_share: number, what: string) => {
      const part = what.split(':', 1)[0] ?? ''
      if (part !== last) print(`  ${part}\n`)
      last = part
    }
    return { tell, stop: () => undefined }
  }
  const bar = new SingleBar({ format: '  {bar} {what}', clearOnComplete: true, hideCursor: true })
  bar.start(1000, 0, { what: 'starting' })
  return {
    tell: (share: number, what: string) => bar.update(Math.round(share * 1000), { what: what.slice(0, 80) }),
    stop: () => bar.stop(),
  }
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: String(usualMinutes) },
    only: { type: 'string', multiple: true },
    all: { type: 'boolean' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
const minutes = Number(values.minutes)
const unknown = (values.only ?? []).filter((name) => !parts.some((part) => part.name === name))
const isUsable = unknown.length === 0 && Number.isInteger(seed) && minutes > 0

if (values.help === true || !isUsable) {
  print(`${unknown.length > 0 ? `There is no part ${unknown.join(', ')}.\n\n` : ''}${help}`)
  process.exitCode = isUsable ? 0 : 1
} else {
  const chosen = parts.filter(({ name }) => values.only === undefined || values.only.includes(name))
  print(`Seed ${seed}.\n`)
  const progress = showProgress()
  const report = await attack({ seed, minutes, chosen }, progress.tell).finally(progress.stop)
  print(plain(report, values.all === true))
  if (values.write === true) {
    writeReport(report)
    print('Written to docs/security-report.md.\n')
  }
  process.exitCode = isClean(report) ? 0 : 1
}
