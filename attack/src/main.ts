// npm run attack [-- --seed N] [--minutes N] [--only NAME] [--all] [--write]
import { chooseParts, print, showProgress } from '@sheaf/harness'
import { attack, parts } from './attack.js'
import { isClean, plain, writeReport } from './report.js'

const help = `Starts the server and attacks it as somebody with an account, and somebody without, would. Ends with 1 if anything did not hold.

  npm run attack                      all parts, about ten minutes
  npm run attack -- --seed 7          the same choices again
  npm run attack -- --minutes 2       a shorter run, with fewer of each
  npm run attack -- --only growth     one part; can be given several times
  npm run attack -- --all             print every case that was found, with its whole curl
  npm run attack -- --write           keep the report in docs/security-report.md

What is attacked is read from the server's own description, so whatever is added to it is attacked too.
All the while, stalls of the event loop are measured: one of more than 100 ms at work is a finding.
`

const choice = chooseParts({ parts, word: 'part', minutes: 10, help })
if (choice !== undefined) {
  const progress = showProgress()
  const report = await attack(choice, progress.tell).finally(progress.stop)
  print(plain(report, choice.isAll))
  if (choice.isKept) {
    writeReport(report)
    print('Written to docs/security-report.md.\n')
  }
  process.exitCode = isClean(report) ? 0 : 1
}
