// What every such program is told on its command line: which parts, for how long, with which seed.
import { parseArgs } from 'node:util'
import { print } from './progress.js'

interface Named {
  readonly name: string
  readonly description: string
}

interface Choosing<Part extends Named> {
  readonly parts: readonly Part[]
  /** What a part is called. */
  readonly word: string
  readonly minutes: number
  /** Shown above the list of parts. */
  readonly help: string
}

export interface Chosen<Part> {
  readonly seed: number
  readonly minutes: number
  readonly chosen: readonly Part[]
  /** Print every case. */
  readonly isAll: boolean
  /** Keep the report. */
  readonly isKept: boolean
}

const widestName = 14

/** Undefined after help was asked for, or something that there is not: it is printed then. */
export const chooseParts = <Part extends Named>(choosing: Choosing<Part>): Chosen<Part> | undefined => {
  const { parts, word } = choosing
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string', default: String(choosing.minutes) },
      only: { type: 'string', multiple: true },
      all: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { only = parts.map(({ name }) => name) } = values
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
  const minutes = Number(values.minutes)
  const unknown = only.filter((name) => !parts.some((part) => part.name === name))
  const isUsable = unknown.length === 0 && Number.isInteger(seed) && minutes > 0
  if (values.help || !isUsable) {
    const list = parts.map(({ name, description }) => `  ${name.padEnd(widestName)} ${description}\n`)
    print(
      `${unknown.length > 0 ? `There is no ${word} ${unknown.join(', ')}.\n\n` : ''}${choosing.help}\n${list.join('')}`,
    )
    process.exitCode = isUsable ? 0 : 1
    return undefined
  }
  print(`Seed ${seed}.\n`)
  const chosen = parts.filter(({ name }) => only.includes(name))
  return { seed, minutes, chosen, isAll: values.all, isKept: values.write }
}
