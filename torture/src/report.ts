// What was done and what was found: for the terminal, and for docs/reliability.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Compared } from './comparison.js'

export interface Done {
  readonly name: string
  readonly description: string
  /** Undefined: it could not be done here. */
  readonly result: string | undefined
}

export interface Report {
  readonly seed: number
  readonly minutes: number
  readonly seconds: number
  readonly starts: number
  readonly acknowledged: number
  readonly statuses: ReadonlyMap<number, number>
  readonly done: readonly Done[]
  readonly compared: readonly Compared[]
  /** What should not have been, while it was broken. */
  readonly findings: readonly string[]
}

export const isClean = ({ compared, findings, done }: Report): boolean =>
  findings.length === 0 && compared.every(({ isRight }) => isRight) && done.every(({ result }) => result !== undefined)

const leftOut = 'left out: it needs the right to mount a small disk (root)'

const statusText = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status === 0 ? 'no answer' : status}`)
    .join(', ')

const summary = (report: Report): string =>
  `${report.acknowledged.toLocaleString('en')} submissions acknowledged, ${report.starts} starts of the server, ${Math.round(report.seconds)} s. Answers: ${statusText(report.statuses)}.`

export const plain = (report: Report): string => {
  const { done, compared, findings } = report
  const lines = [
    '',
    'What was done',
    ...done.map(({ name, result }) => `  ${name.padEnd(14)} ${result ?? leftOut}`),
    '',
    summary(report),
    '',
    'What was compared',
    ...compared.map(({ what, result, isRight }) => `  ${isRight ? '✓' : '✗'} ${what}: ${result}`),
    '',
    findings.length === 0 ? 'Nothing else was found.' : `What else was found (${findings.length}):`,
    ...findings.slice(0, 20).map((finding) => `  ✗ ${finding}`),
    '',
    isClean(report) ? 'Nothing was lost.' : 'Something is wrong.',
    '',
  ]
  return lines.join('\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const markdown = (report: Report): string => {
  const machine = `Node ${process.version.slice(1)}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB; senders and server on the same machine`
  const lines = [
    `Made by \`npm run torture -- --seed ${report.seed} --minutes ${report.minutes} --write\`. ${machine}.`,
    '',
    summary(report),
    '',
    '| Fault | What was done |',
    '|---|---|',
    ...report.done.map(({ description, result }) => `| ${cell(description)} | ${cell(result ?? leftOut)} |`),
    '',
    '| Compared in the end | Found |',
    '|---|---|',
    ...report.compared.map(({ what, result, isRight }) => `| ${cell(what)} | ${isRight ? '✓' : '✗'} ${cell(result)} |`),
    '',
    report.findings.length === 0
      ? 'Nothing else was found: every answer while things were broken was a yes, a 503 or 507 with Retry-After, or none.'
      : `What else was found:\n\n${report.findings
          .slice(0, 20)
          .map((finding) => `- ${finding}`)
          .join('\n')}`,
  ]
  return lines.join('\n')
}

const [from, to] = ['<!-- torture: begin -->', '<!-- torture: end -->']

/** Only its own part of the page is written. */
export const writeReport = (report: Report): void => {
  const page = new URL('../../docs/reliability.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const [begin, end] = [text.indexOf(from), text.indexOf(to)]
  if (begin === -1 || end < begin) throw new Error('docs/reliability.md has lost the marks of the report')
  writeFileSync(page, `${text.slice(0, begin + from.length)}\n\n${markdown(report)}\n\n${text.slice(end)}`)
}
