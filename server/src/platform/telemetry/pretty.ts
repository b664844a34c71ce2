// A line of the log for people at a terminal: the same facts, without braces. What came from elsewhere cannot steer the
// terminal, nor look like a line of its own.
import { styleText } from 'node:util'

type Fields = Readonly<Record<string, unknown>>

/** Controls of both kinds, line separators, and what turns the direction of writing. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const harmless = (text: string): string => text.replace(steering, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return harmless(text ?? '')
}

const levels: ReadonlyMap<unknown, { word: string; colour: 'yellow' | 'red' | 'dim' }> = new Map([
  ['warn', { word: 'WARN ', colour: 'yellow' }],
  ['error', { word: 'ERROR', colour: 'red' }],
  ['fatal', { word: 'FATAL', colour: 'red' }],
])

const clock = (time: unknown): string => {
  const date = new Date(String(time))
  return Number.isNaN(date.getTime()) ? '--:--:--' : date.toTimeString().slice(0, 8)
}

const pairs = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${harmless(name)}=${shown(value)}`]))

const ofRequest = ({ method, path, status, ms, account, address, reqId }: Fields): string =>
  [
    ...[method, path, status, `${shown(ms)} ms`, account, address].flatMap((part) => (part ? [shown(part)] : [])),
    // Only of what went wrong is there anything else to look for.
    ...(Number(status) >= 500 ? [`reqId=${shown(reqId)}`] : []),
  ].join(' ')

const stackOf = (err: unknown): string[] => {
  const { stack, message, cause } = (err ?? {}) as { stack?: unknown; message?: unknown; cause?: unknown }
  const lines = String(stack ?? message ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `    ${harmless(line)}`)
  return cause === undefined ? lines : [...lines, '    because of', ...stackOf(cause)]
}

/** `line` is one of JSON. */
export const prettyLine = (line: string, hasColours: boolean): string => {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Fields
  const { word, colour } = levels.get(level) ?? { word: String(level).padEnd(5), colour: 'dim' }
  const told =
    msg === 'request' && fields.method !== undefined ? ofRequest(fields) : [shown(msg), ...pairs(fields)].join(' ')
  const head = `${clock(time)} ${hasColours ? styleText(colour, word) : word} ${told}`
  return `${[head, ...(err === undefined ? [] : stackOf(err))].join('\n')}\n`
}
