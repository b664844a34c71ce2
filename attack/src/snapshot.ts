// All that somebody is shown, to be compared with the same later.
import type { Context } from './part.js'
import { type Caller, textOf } from './request.js'

/** By address, as it was answered. */
export type Snapshot = ReadonlyMap<string, string>

/** What moves by itself: clocks, counters of reading, progress. */
const movesByItself = /^(?:serverTime|last_login|expires|progress|next_at|attempts|latency_ms|state|status_text)$/

const settled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(settled)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (movesByItself.test(name) ? [] : [[name, settled(inner)]])),
  )
}

export const takeSnapshot = async (context: Context, caller: Caller, paths: Iterable<string>): Promise<Snapshot> => {
  const taken = await Promise.all(
    [...paths].map(async (path) => {
      const answer = await context.send({ method: 'GET', path, caller, headers: { accept: 'application/json' } })
      return [path, `${answer.status} ${textOf(answer)}`] as const
    }),
  )
  return new Map(taken)
}

const read = (answer: string): unknown => {
  const body = answer.slice(answer.indexOf(' ') + 1)
  try {
    return { status: answer.slice(0, 3), body: settled(JSON.parse(body)) }
  } catch {
    return { status: answer.slice(0, 3), body }
  }
}

/** Addresses whose answer is the same twice: the rest tells nothing. */
export const steady = async (context: Context, caller: Caller, paths: Iterable<string>): Promise<string[]> => {
  const list = [...paths]
  const [first, second] = [await takeSnapshot(context, caller, list), await takeSnapshot(context, caller, list)]
  const moving = new Set(changesBetween(first, second).map(({ path }) => path))
  return list.filter((path) => !moving.has(path))
}

export interface Change {
  readonly path: string
  /** Names on the way to what is different. */
  readonly at: readonly string[]
  readonly kind: 'added' | 'removed' | 'changed'
  readonly before: unknown
  readonly after: unknown
  /** The objects around it, outermost first. */
  readonly around: readonly unknown[]
}

const keyOf = (value: unknown): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = value as Record<string, unknown>
  const name = ['_id', 'id', 'formid', 'projectid', 'url', 'username', 'user', 'name'].find((one) => one in fields)
  return name === undefined ? JSON.stringify(value) : `${name}=${JSON.stringify(fields[name])}`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const compare = (
  path: string,
  at: readonly string[],
  around: readonly unknown[],
  before: unknown,
  after: unknown,
): Change[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const isList = Array.isArray(before) && Array.isArray(after)
  if (!isList && !(isObject(before) && isObject(after))) {
    const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
    return [{ path, at, kind, before, after, around }]
  }
  const entries = (value: unknown): Map<string, unknown> =>
    new Map(Array.isArray(value) ? value.map((one) => [keyOf(one), one]) : Object.entries(value as object))
  const [old, now] = [entries(before), entries(after)]
  const names = new Set([...old.keys(), ...now.keys()])
  return [...names].flatMap((name) =>
    compare(path, isList ? at : [...at, name], [...around, before, after], old.get(name), now.get(name)),
  )
}

export const changesBetween = (before: Snapshot, after: Snapshot): Change[] =>
  [...before].flatMap(([path, answer]) => {
    const now = after.get(path) ?? ''
    return now === answer ? [] : compare(path, [], [], read(answer), read(now))
  })

export const describeChange = ({ path, at, kind, before, after }: Change): string => {
  const short = (value: unknown) => JSON.stringify(value)?.slice(0, 120) ?? 'nothing'
  return `GET ${path}: ${at.join('.')} ${kind}, ${short(before)} → ${short(after)}`
}
