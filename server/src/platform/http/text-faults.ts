// What PostgreSQL cannot store is refused at the door: a zero character and half of a surrogate pair would fail there
// with an error of ours, and a very deep value would exhaust the stack when it is written out again.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import { absent, badRequest, invalid } from './errors.js'

const deepest = budgets.bodies.levels

/** What is wrong with the texts inside a JSON value, or undefined. Walks with its own stack: depth is the attack. */
export const textFault = (value: unknown): string | undefined => locatedFault(value)?.fault

interface Located {
  readonly fault: string
  /** The names that lead to it. */
  readonly path: readonly string[]
}

interface Open {
  readonly value: unknown
  readonly depth: number
  readonly key: string
  readonly around: Open | undefined
}

const pathTo = (place: Open | undefined): string[] => {
  const path: string[] = []
  for (let one = place; one?.around !== undefined; one = one.around) path.unshift(shown(one.key))
  return path
}

const locatedFault = (value: unknown): Located | undefined => {
  const open: Open[] = [{ value, depth: 0, key: '', around: undefined }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const fault = typeof next.value === 'string' ? faultOf(next.value) : undefined
    if (fault !== undefined) return { fault, path: pathTo(next) }
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth >= deepest) {
      return { fault: `Ensure this field is nested no deeper than ${deepest} levels.`, path: pathTo(next) }
    }
    for (const [key, inner] of Object.entries(next.value)) {
      const place = { value: inner, depth: next.depth + 1, key, around: next }
      const keyFault = faultOf(key)
      if (keyFault !== undefined) return { fault: keyFault, path: pathTo(place) }
      open.push(place)
    }
  }
  return undefined
}

/** Of an address as it arrived: a path that holds such a text names nothing, a query is the caller's fault. In preValidation,
 * so that who may not call at all hears that first; and here, because a route that words faults itself is handed them. */
export const refuseUnstorable = (scope: FastifyInstance): void => {
  scope.addHook('preValidation', ({ params, query, routeOptions }, _reply, done) => {
    if (hasFaults(params)) return done(absent())
    // The library of OAuth judges its parameters itself, and tells the client.
    const isJudgedElsewhere =
      routeOptions.schema?.querystring !== undefined && isUnchecked(routeOptions.schema.querystring)
    const [fault] = isJudgedElsewhere || !hasFaults(query) ? [] : Object.entries(fieldFaults(query))
    done(fault === undefined ? undefined : badRequest(fault.join(': ')))
  })
}

/** Whether `fieldFaults` would tell any; asked of every request, hence no lists. */
const hasFaults = (fields: unknown): boolean => {
  for (const name in fields as object) {
    const value = (fields as Readonly<Record<string, unknown>>)[name]
    if (faultOf(name) !== undefined || (typeof value === 'string' ? faultOf(value) : textFault(value)) !== undefined) {
      return true
    }
  }
  return false
}

/** What could not be stored, by its name, whether a route knows it or not. */
const fieldFaults = (body: unknown): Record<string, string> => {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const fault = faultOf(name) ?? (typeof value === 'string' ? faultOf(value) : within(value))
      return fault === undefined ? [] : [[shown(name), fault]]
    }),
  )
}

const within = (value: unknown): string | undefined => {
  const found = locatedFault(value)
  return (
    found && `${found.fault}${found.path.length === 0 ? '' : ` They are in ${found.path.join('/').slice(0, 200)}.`}`
  )
}

/** For a body that no schema looks through before it is used: throws 400 with every such field. */
export const refuseFields = (body: unknown): void => {
  const faults = Object.entries(fieldFaults(body)).map(([name, fault]) => [name, [fault]])
  if (faults.length > 0) throw invalid(Object.fromEntries(faults))
}

/** What JSON text must hold for its values to have such a fault: few do, and the others are not looked through. */
const escaped = /\\u(?:0000|d[89a-f])/i

const clean = new WeakSet<FastifyRequest>()

export const noteJson = (request: FastifyRequest, text: string): void => {
  if (!escaped.test(text)) clean.add(request)
}

/** A schema looks through what it describes, and tells it with all other faults. What no schema describes is looked
 * through here. */
const isUnchecked = (schema: unknown): boolean =>
  (schema as { 'x-unchecked'?: boolean } | undefined)?.['x-unchecked'] ?? schema === undefined

export const refuseUnchecked = (request: FastifyRequest): void => {
  if (isUnchecked(request.routeOptions.schema?.body) && !clean.has(request)) refuseFields(request.body)
}

/** A name that is itself the fault is shown without it. */
const shown = (name: string): string => name.replace(/\p{Surrogate}|\0/gu, '\ufffd').slice(0, 100)

const faultOf = (text: string): string | undefined => {
  if (text.includes('\0')) return 'Null characters are not allowed.'
  return /\p{Surrogate}/u.test(text) ? 'Surrogate characters are not allowed.' : undefined
}
