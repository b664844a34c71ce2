// What was tried and what was found: for the terminal, and for docs/security-report.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { countOf, type Finding } from './findings.js'
import { mostStallMs } from './part.js'

export interface Tried {
  readonly name: string
  readonly description: string
  readonly result: string
  readonly requests: number
  /** Milliseconds at work. */
  readonly longestStall: number
}

export interface Report {
  readonly seed: number
  readonly minutes: number
  readonly seconds: number
  readonly tried: readonly Tried[]
  readonly findings: readonly Finding[]
  /** The longest that /healthz was not answered, waiting for a core included. */
  readonly longestSilence: number
}

export const isClean = ({ findings }: Report): boolean => findings.length === 0

const number = (value: number): string => Math.round(value).toLocaleString('en')

const summary = ({ tried, seconds, longestSilence }: Report): string => {
  const requests = tried.reduce((sum, one) => sum + one.requests, 0)
  const stall = Math.max(0, ...tried.map((one) => one.longestStall))
  return `${number(requests)} requests in ${number(seconds)} s. The longest time that the event loop was at work and answered nobody: ${number(stall)} ms (the bound is ${mostStallMs}). /healthz, asked all the while, was answered after ${number(longestSilence)} ms at most, with waiting for a core.`
}

const mostPlaces = 12
const mostShown = 3

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)

const findingLines = (finding: Finding, withAll: boolean): string[] => {
  const places = [...finding.places]
  const shown = withAll ? places.length : mostShown
  return [
    `✗ ${finding.part}: ${finding.what} (${countOf(finding)} times in ${places.length} ${places.length === 1 ? 'place' : 'places'})`,
    ...places
      .slice(0, shown)
      .flatMap(([place, { example, repeat }]) => [
        `    ${place}: ${cut(example.replace(/\s+/g, ' '), 300)}`,
        ...repeat.split('\n').map((line) => `      ${cut(line, withAll ? 20_000 : 700)}`),
      ]),
    ...(places.length > shown
      ? [
          `    and ${cut(
            places
              .slice(shown, shown + mostPlaces)
              .map(([place]) => place)
              .join(', '),
            600,
          )}${places.length > shown + mostPlaces ? ' …' : ''}`,
        ]
      : []),
  ]
}

export const plain = (report: Report, withAll: boolean): string => {
  const { tried, findings } = report
  return [
    '',
    'What was tried',
    ...tried.map(
      ({ name, result, longestStall }) => `  ${name.padEnd(11)} ${result}; longest stall ${number(longestStall)} ms`,
    ),
    '',
    summary(report),
    '',
    findings.length === 0
      ? 'Nothing was found.'
      : `What was found (${findings.length}). $A is the address of the server, all passwords are 'correct horse':`,
    ...findings.flatMap((finding) => findingLines(finding, withAll).map((line) => `  ${line}`)),
    ...(findings.length === 0
      ? []
      : ['', `  The same again: npm run attack -- --seed ${report.seed} --minutes ${report.minutes}`]),
    '',
  ].join('\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')

const markdown = (report: Report): string => {
  const machine = `Node ${process.version.slice(1)}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB; attacker and server on the same machine`
  const found = report.findings.map((finding) => {
    const [place, { example }] = [...finding.places][0] ?? ['', { example: '' }]
    return `| ${finding.part} | ${cell(finding.what)} | ${countOf(finding)} in ${finding.places.size} | ${cell(cut(`${place}: ${example}`, 200))} |`
  })
  return [
    `Made by \`npm run attack -- --seed ${report.seed} --minutes ${report.minutes} --write\`. ${machine}.`,
    '',
    summary(report),
    '',
    '| Part | What was tried | Requests | Longest stall |',
    '|---|---|--:|--:|',
    ...report.tried.map(
      ({ description, result, requests, longestStall }) =>
        `| ${cell(description)} | ${cell(result)} | ${number(requests)} | ${number(longestStall)} ms |`,
    ),
    '',
    ...(found.length === 0
      ? ['Nothing was found.']
      : ['| Part | What was found | Times, places | First |', '|---|---|--:|---|', ...found]),
  ].join('\n')
}

const [from, to] = ['<!-- attack: begin -->', '<!-- attack: end -->']

/** Only its own part of the page is written. */
export const writeReport = (report: Report): void => {
  const page = new URL('../../docs/security-report.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const [begin, end] = [text.indexOf(from), text.indexOf(to)]
  if (begin === -1 || end < begin) throw new Error('docs/security-report.md has lost the marks of the report')
  writeFileSync(page, `${text.slice(0, begin + from.length)}\n\n${markdown(report)}\n\n${text.slice(end)}`)
}
