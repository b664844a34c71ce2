// npm run bench [-- NAME…] [-- --quick]
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { print, showProgress } from '@sheaf/harness'
import { DataPlace } from './data-place.js'
import { markdown, plain, summary, type WorkloadReport } from './report.js'
import type { Workload } from './workload.js'
import { answers } from './workloads/answers.js'
import { charts } from './workloads/charts.js'
import { compileForms } from './workloads/compile.js'
import { csv } from './workloads/csv.js'
import { deepPage } from './workloads/deep-page.js'
import { editor } from './workloads/editor.js'
import { filter, sort } from './workloads/filter.js'
import { formList } from './workloads/form-list.js'
import { forwarding } from './workloads/forwarding.js'
import { geojson } from './workloads/geojson.js'
import { ingest } from './workloads/ingest.js'
import { json } from './workloads/json.js'
import { keys } from './workloads/keys.js'
import { largeForms } from './workloads/large-forms.js'
import { manyForms } from './workloads/many-forms.js'
import { meanwhile } from './workloads/meanwhile.js'
import { pages } from './workloads/pages.js'
import { replica } from './workloads/replica.js'
import { signIn } from './workloads/sign-in.js'
import { start } from './workloads/start.js'
import { table } from './workloads/table.js'

const workloads: readonly Workload[] = [
  start,
  signIn,
  compileForms,
  ingest,
  manyForms,
  keys,
  forwarding,
  formList,
  json,
  pages,
  geojson,
  filter,
  sort,
  csv,
  deepPage,
  charts,
  largeForms,
  replica,
  table,
  editor,
  // Last: they send records to the forms that the others count.
  answers,
  meanwhile,
]

const help = `Measures the server as shipped, beside the raw limits of this machine in the same run.

  npm run bench                     all workloads
  npm run bench -- sign-in          one by name
  npm run bench -- --quick          shorter runs over less data, for a first look

${workloads.map(({ name, description }) => `  ${name.padEnd(12)} ${description}`).join('\n')}
`

let opened: Promise<DataPlace> | undefined
const dataPlace = (): Promise<DataPlace> => {
  opened ??= DataPlace.open(isQuick)
  return opened
}

const runOne = async (workload: Workload): Promise<WorkloadReport> => {
  const { tell, stop } = showProgress(workload.name)
  try {
    const report = await workload.run({ isQuick, progress: tell, dataPlace })
    // Aims are for runs of full length.
    return isQuick ? { ...report, figures: report.figures.map(({ aim: _, ...figure }) => figure) } : report
  } finally {
    stop()
  }
}

const keep = (reports: readonly WorkloadReport[]): void => {
  const machine = { node: process.version, cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) }
  const folder = new URL('../', import.meta.url)
  writeFileSync(new URL('results.json', folder), `${JSON.stringify({ machine, reports }, undefined, 2)}\n`)
  const about = `Node ${machine.node.slice(1)}, ${machine.cores} cores, ${machine.memoryGiB} GiB; load, database and server share them. A stall of the event loop is the time for which it was at work and answered nobody else.`
  writeFileSync(
    new URL('RESULTS.md', folder),
    `# Measured\n\n${about} Made by \`npm run bench\`.\n\n${markdown(reports)}`,
  )
  const readme = new URL('../README.md', folder)
  const marked = /(<!-- bench: begin -->\n)[\s\S]*(\n<!-- bench: end -->)/
  const text = readFileSync(readme, 'utf8')
  writeFileSync(
    readme,
    text.replace(marked, (_, begin, end) => `${begin}\n${about}\n\n${summary(reports)}${end}`),
  )
  print('\nWritten to bench/results.json, bench/RESULTS.md and the README.\n')
}

const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const names = args.filter((arg) => !arg.startsWith('-'))
const unknown = names.filter((name) => !workloads.some((workload) => workload.name === name))

if (args.includes('--help') || unknown.length > 0) {
  print(`${unknown.length > 0 ? `There is no workload ${unknown.join(', ')}.\n\n` : ''}${help}`)
  process.exitCode = unknown.length > 0 ? 1 : 0
} else {
  const reports: WorkloadReport[] = []
  try {
    for (const workload of workloads.filter(({ name }) => names.length === 0 || names.includes(name))) {
      const report = await runOne(workload)
      print(plain(report))
      reports.push(report)
    }
  } finally {
    await (await opened)?.close()
  }
  // What is kept is a whole run of full length, nothing else.
  if (names.length === 0 && !isQuick) keep(reports)
}
