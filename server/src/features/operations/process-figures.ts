// What the processes measure of themselves, out of what they publish: where several share a port, of all of them.
import type { Metrics } from '../../platform/telemetry/index.js'

export interface ProcessFigures {
  readonly memoryBytes: number
  readonly stalls: {
    readonly count: number
    readonly seconds: number
    readonly byOperation: readonly { readonly operation: string; readonly count: number; readonly seconds: number }[]
  }
}

interface Line {
  readonly name: string
  readonly operation: string
  readonly value: number
}

/** `name{operation="…"} value`: of the few names that are asked for here, no label holds a quotation mark or a brace. */
const readLine = (text: string): Line => {
  const space = text.lastIndexOf(' ')
  const head = text.slice(0, space)
  const brace = head.indexOf('{')
  const label = 'operation="'
  const from = head.indexOf(label)
  return {
    name: brace === -1 ? head : head.slice(0, brace),
    operation: from === -1 ? '' : head.slice(from + label.length, head.indexOf('"', from + label.length)),
    value: Number(text.slice(space + 1)),
  }
}

const stallName = 'sheaf_event_loop_stall_seconds'
const memoryName = 'process_resident_memory_bytes'
const mostOperations = 10

export const figuresIn = (text: string): ProcessFigures => {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(stallName) || line.startsWith(memoryName))
    .map(readLine)
  const named = (name: string) => lines.filter((line) => line.name === name)
  const sum = (name: string) => named(name).reduce((total, { value }) => total + value, 0)
  const secondsOf = new Map(named(`${stallName}_sum`).map(({ operation, value }) => [operation, value]))
  const byOperation = named(`${stallName}_count`)
    .map(({ operation, value }) => ({ operation, count: value, seconds: secondsOf.get(operation) ?? 0 }))
    .sort((a, b) => b.seconds - a.seconds)
  return {
    memoryBytes: sum(memoryName),
    stalls: {
      count: sum(`${stallName}_count`),
      seconds: sum(`${stallName}_sum`),
      byOperation: byOperation.slice(0, mostOperations),
    },
  }
}

export const processFigures = async (metrics: Metrics): Promise<ProcessFigures> => figuresIn(await metrics.text())
