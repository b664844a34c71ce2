// Everybody who has no role against everything of a tenant: by every operation that there is.
import { type Attempt, attemptsOf } from '../attempts.js'
import type { Operation } from '../description.js'
import { type Known, kindsIn, learn } from '../known.js'
import type { Context, Part } from '../part.js'
import { type Answer, anonymous, type Caller, textOf } from '../request.js'
import { changesBetween, describeChange, type Snapshot, steady, takeSnapshot } from '../snapshot.js'
import { register } from '../world/account.js'
import { startReceiver } from '../world/receiver.js'
import { makeTenant, type Tenant } from '../world/tenant.js'

/** Without what differs from one answer to the next. */
const normalised = (answer: Answer, names: Attempt['names']): string => {
  // A job that has begun has looked for nothing yet; what it says is how far it is.
  if (answer.status === 202) return '202'
  // Before the names: a short one may stand within any of these.
  let text = textOf(answer)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?/g, '#')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '#')
  // The longest first: a short one may be part of it.
  for (const name of names.flat().toSorted((a, b) => b.length - a.length))
    text = text.replaceAll(encodeURIComponent(name), '#').replaceAll(name, '#')
  return `${answer.status} ${text}`
}

interface Stage {
  readonly context: Context
  readonly tenant: Tenant
  readonly theirs: Known
  readonly views: readonly string[]
  snapshot: Snapshot
  compared: number
  count: number
}

const look = async (stage: Stage): Promise<Snapshot> => takeSnapshot(stage.context, stage.tenant.owner, stage.views)

/** Whether anything of the tenant is different; says so if it is. */
const hasChanged = async (stage: Stage, place: string, request: Attempt['request'] | string): Promise<boolean> => {
  const after = await look(stage)
  const changes = changesBetween(stage.snapshot, after)
  stage.snapshot = after
  for (const change of changes.slice(0, 1)) {
    stage.context.find('somebody without a role changed something of a tenant', place, describeChange(change), request)
  }
  return changes.length > 0
}

const tryOne = async (stage: Stage, attempt: Attempt, caller: Caller): Promise<void> => {
  const { context, tenant } = stage
  const { request, twin, operation } = attempt
  const place = `${operation.id} by ${caller === anonymous ? 'an anonymous caller' : 'a stranger'}`
  const answer = await context.send(request)
  stage.count += 1
  if (textOf(answer).includes(tenant.marks.hidden)) {
    const at = textOf(answer).indexOf(tenant.marks.hidden)
    const words = textOf(answer).slice(Math.max(0, at - 80), at + 60)
    context.find('somebody without a role is shown what is hidden', place, `${answer.status}: …${words}…`, request)
  }
  if (attempt.isHidden) {
    const compare = (first: Answer, second: Answer) =>
      [normalised(first, attempt.names), normalised(second, attempt.names)] as const
    stage.compared += 1
    let [hidden, missing] = compare(answer, await context.send(twin))
    // The first may have changed something of the caller's own that the second finds done, such as records that are restored:
    // then both are asked again. What it changed of the tenant's is looked for below.
    if (hidden !== missing && !operation.isSafe && answer.status < 300) {
      const later = compare(await context.send(request), await context.send(twin))
      if (later[0] === later[1]) [hidden, missing] = later
    }
    if (hidden !== missing) {
      const example = `hidden: ${hidden.slice(0, 150)}; missing (${twin.path}): ${missing.slice(0, 150)}`
      context.find('hidden and missing differ', place, example, request)
    }
  }
  const isDone = !operation.isSafe && answer.status >= 200 && answer.status < 300
  if (isDone) await hasChanged(stage, place, request)
}

/** What takes the caller's own account away comes last of all, or never. */
const isSuicidal = ({ id }: Operation): boolean =>
  /^account\.(?:regenerate|expire|change_password)|^login\.end/.test(id)

const sweep = async (stage: Stage, caller: Caller, own: Known, most: number, until: number): Promise<void> => {
  const { context } = stage
  const kinds = kindsIn(context.operations)
  const { address: origin } = context.server
  // In an order of its own: a short run meets some of everything.
  for (const operation of context.chance.some(context.operations, context.operations.length)) {
    if (isSuicidal(operation) || !context.hasTime(until)) continue
    context.say(`${caller.name}: ${operation.id}`)
    const options = { caller, kinds, own, other: stage.theirs, origin, chance: context.chance, most }
    const attempts = attemptsOf(operation, options)
    const isChanging = !operation.isSafe
    if (isChanging) for (const attempt of attempts) await tryOne(stage, attempt, caller)
    else await Promise.all(attempts.map((attempt) => tryOne(stage, attempt, caller)))
  }
  await hasChanged(stage, `something that ${caller.name} did and that was refused`, '')
}

/** A form that anybody may fill in shows nobody records: neither its own, nor those of a form that is linked into it. */
const handedOn = async (context: Context, tenant: Tenant, known: Known, stranger: Caller): Promise<void> => {
  const { marks } = tenant
  const ask = async (path: string, id: string, caller: Caller) => {
    const request = { method: 'GET', path, caller }
    const text = textOf(await context.send(request))
    const mark = [marks.linked, marks.record, marks.deleted].find((one) => text.includes(one) && !path.includes(one))
    const place = `${id} by ${caller === anonymous ? 'an anonymous caller' : 'a stranger'}`
    const what = 'records of a form that anybody may fill in are shown'
    if (mark !== undefined) context.find(what, place, text.slice(0, 200), request)
  }
  await Promise.all(
    [...known.paths].flatMap(([path, { id }]) => [anonymous, stranger].map((caller) => ask(path, id, caller))),
  )
}

/** Of things, one by one: lists of everything that an account sees also show what others share with it. */
const viewsOf = ({ paths }: Known): string[] =>
  [...paths].flatMap(([path, { pathNames, id }]) => {
    const isOfThing = (pathNames.length > 0 || path.includes('?')) && !/form_list\.(?:me\.)?account$/.test(id)
    return isOfThing || /^account|client/.test(id) ? [path] : []
  })

export const foreign: Part = {
  name: 'foreign',
  description:
    'every operation with every name of another tenant, by a stranger with things of their own and by nobody',
  weight: 20,
  run: async (context) => {
    await context.start()
    const receiver = await startReceiver()
    try {
      const tenant = await makeTenant(context, { name: 'ana', receiverUrl: receiver.url })
      // Before there is anything else: what it is shown then is its own.
      const theirs = await learn(context, tenant.owner)
      const lea = await makeTenant(context, { name: 'lea', receiverUrl: receiver.url, isUnlocked: true })
      const leas = await learn(context, lea.owner)
      const attacker = await makeTenant(context, { name: 'eve', receiverUrl: receiver.url, isOpen: true })
      const own = await learn(context, attacker.owner)
      await register(context, 'bystander')
      const views = await steady(context, tenant.owner, viewsOf(theirs))
      const stage: Stage = { context, tenant, theirs, views, snapshot: new Map(), compared: 0, count: 0 }
      stage.snapshot = await look(stage)
      const isShort = context.seconds < 30
      await handedOn(context, lea, leas, attacker.owner)
      context.ready()
      await sweep(stage, anonymous, own, isShort ? 1 : 2, 0.4)
      await sweep(stage, attacker.owner, own, isShort ? 1 : 3, 1)
      return `${stage.count} requests with names of another tenant over ${context.operations.length} operations, ${stage.compared} of them beside the same with a name that is missing; ${views.length} views of the owner compared`
    } finally {
      receiver.close()
    }
  },
}
