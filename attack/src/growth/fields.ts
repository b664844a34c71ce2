// Texts that nearly are something as questions, and in fields of bodies.
import { plausible } from '../attempts.js'
import { combinations } from '../known.js'
import { type NearMiss, nearMiss } from '../near-misses.js'
import type { Context } from '../part.js'
import { jsonRequest, type Request } from '../request.js'
import type { Ground } from './ground.js'
import { type Probe, watchGrowth } from './watch.js'

const questionSizes = [6, 10, 14, 18, 22, 26, 32, 200, 1000, 4000]
const fieldSizes = [22, 200, 4000, 16_000, 64_000]

/** Every question of every list with every text would take hours: so many of them are drawn. */
export const inQuestions = async (context: Context, ground: Ground, text: NearMiss): Promise<boolean> => {
  const { owner, known } = ground
  const asked = context.operations.flatMap((operation) => {
    const path = operation.isSafe ? combinations(operation, known, 1)[0] : undefined
    const free = operation.query.filter(({ name }) => !/__|^page|^start$|^limit$|^format$/.test(name))
    return path === undefined ? [] : free.map(({ name }) => ({ name, path }))
  })
  const always = asked.filter(
    ({ name, path }) => path === `/api/v1/data/${ground.form.id}` && /query|sort|fields|tags/.test(name),
  )
  for (const { name, path } of [...always, ...context.chance.some(asked, 12)]) {
    if (!context.hasTime()) return true
    const request = (units: number): Request => ({
      method: 'GET',
      path: `${path}?${name}=${encodeURIComponent(nearMiss(text, units)).slice(0, 14_000)}`,
      caller: owner,
    })
    const { isStuck } = await watchGrowth(context, {
      name: `${path.replace(/\/\d+/g, '/{pk}')}?${name}`,
      sizes: questionSizes,
      request,
    })
    if (isStuck) return false
  }
  return true
}

const listSizes = [300, 1200, 4800]

export const inFields = async (context: Context, ground: Ground, text: NearMiss): Promise<boolean> => {
  const { owner, known } = ground
  const { address } = context.server
  const fields = context.operations.flatMap((operation) => {
    const path = operation.isSafe || operation.method === 'DELETE' ? undefined : combinations(operation, known, 1)[0]
    if (path === undefined || /password|^login|project\.(?:put|patch)|profile\./.test(operation.id)) return []
    return Object.keys(operation.body?.properties ?? {}).map((name) => ({ operation, path, name }))
  })
  const lists = fields.filter(({ name }) => /columns|fields|tags|query|instance_ids|usernames/.test(name))
  for (const [number, { operation, path, name }] of [...lists, ...context.chance.some(fields, 10)].entries()) {
    if (!context.hasTime()) return true
    const isList = number < lists.length
    const usual = Object.fromEntries(
      Object.entries(operation.body?.properties ?? {}).map(([field, schema]) => [field, plausible(field, schema)]),
    )
    const named = {
      xform: `${address}/api/v1/forms/${ground.form.id}`,
      project: `${address}/api/v1/projects/${known.of('projects')[0]}`,
    }
    const value = (size: number) =>
      isList ? Array.from({ length: size }, (_, n) => `unknown${n}`) : nearMiss(text, size)
    const probe: Probe = {
      name: `${operation.id}: ${name}${isList ? ' as a long list' : ''}`,
      sizes: isList ? listSizes : fieldSizes,
      request: (size) =>
        jsonRequest(operation.method, path, owner, { ...usual, ...('columns' in usual && named), [name]: value(size) }),
    }
    const { isStuck } = await watchGrowth(context, probe)
    if (isStuck) return false
  }
  return true
}
