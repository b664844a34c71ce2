// One person of each role against what the role does not allow, in a tenant of their own. What somebody may never see or change
// is a small table; which operations could do it is not asked: all of them are tried.
import { attemptsOf } from '../attempts.js'
import type { Operation } from '../description.js'
import { type Known, kindsIn, learn, queries } from '../known.js'
import type { Context, Part } from '../part.js'
import { type Caller, type Request, textOf } from '../request.js'
import { type Change, changesBetween, describeChange, steady, takeSnapshot } from '../snapshot.js'
import { make, register } from '../world/account.js'
import { type Receiver, startReceiver } from '../world/receiver.js'
import { makeTenant, submit, type Tenant } from '../world/tenant.js'

const roles = [
  'member',
  'readonly-no-download',
  'readonly',
  'dataentry-only',
  'dataentry-minor',
  'dataentry',
  'editor-minor',
  'editor',
  'manager',
  'owner',
] as const
type Role = (typeof roles)[number]

const rank = (role: Role): number => roles.indexOf(role)
const isReader = (role: Role): boolean => rank(role) <= rank('readonly')
const isEnterer = (role: Role): boolean => rank(role) > rank('readonly') && rank(role) <= rank('dataentry')
const seesNoRecord = (role: Role): boolean => role === 'member' || role === 'dataentry-only'
const seesOwnOnly = (role: Role): boolean => seesNoRecord(role) || role.endsWith('-minor')

/** How somebody comes by a role; an organization knows five of them. */
type Way = 'directly' | 'by a team' | 'by an organization'
const organizationRoles: readonly Role[] = ['readonly', 'dataentry', 'editor', 'manager']
const waysOf = (role: Role): Way[] => {
  if (role === 'member') return ['by an organization']
  return organizationRoles.includes(role) ? ['directly', 'by a team', 'by an organization'] : ['directly', 'by a team']
}

interface Stage {
  readonly context: Context
  readonly tenant: Tenant
  readonly person: Caller
  readonly role: Role
  readonly way: Way
  /** Records are shown to everybody: seeing them is no fault, changing them is. */
  readonly isOpen: boolean
  readonly known: Known
}

const place = ({ role, way, isOpen }: Stage, operation: Operation): string =>
  `${operation.id} as ${role} (${way}${isOpen ? ', public data' : ''})`

/** Whatever this role may never be shown, in one answer. */
const judgeSight = (stage: Stage, operation: Operation, request: Request, text: string, type: string): void => {
  const { context, role, tenant, isOpen } = stage
  const { marks } = tenant
  const sent = `${request.path}${request.body?.toString() ?? ''}`
  const find = (what: string, mark: string) => {
    if (!text.includes(mark) || sent.includes(mark)) return
    const at = text.indexOf(mark)
    context.find(what, place(stage, operation), `…${text.slice(Math.max(0, at - 100), at + 60)}…`, request)
  }
  find('the answers of a deleted record are shown', marks.deleted)
  if (rank(role) < rank('manager')) find('a secret of managers is shown to others', marks.secret)
  if (isOpen) return
  if (seesOwnOnly(role)) find("somebody who sees their own records only is shown another's", marks.record)
  const isFile = /csv|spreadsheet|zip|kml|octet/.test(type)
  if (role === 'readonly-no-download' && isFile && /^data|^export|dataview/.test(operation.id))
    find('somebody who may not download is given a file of records', marks.record)
}

const endings = ['.csv', '.xlsx', '.xml', '.geojson', '.kml', '.csvzip']
const mostQueries = 4

/** All that there is to read, in every shape. */
const readAll = async (stage: Stage, share: number): Promise<number> => {
  const { context, person, known } = stage
  const kinds = kindsIn(context.operations)
  let count = 0
  const read = async (operation: Operation, path: string) => {
    const request: Request = { method: 'GET', path, caller: person, headers: { accept: '*/*' } }
    const answer = await context.send(request)
    count += 1
    judgeSight(stage, operation, request, textOf(answer), String(answer.headers['content-type'] ?? ''))
  }
  for (const [path, operation] of known.paths) {
    if (!context.hasTime(share)) break
    const [bare = '', question] = path.split('?')
    const more = question === undefined ? queries(operation, known, kinds) : []
    const asked = more.filter((one) => !/__|^job_uuid|^page/.test(one))
    const always = asked.filter((one) => one.startsWith('changed_since'))
    const isData = /^data\.(?:list|get)$|^dataview\.data$/.test(operation.id)
    await Promise.all([
      read(operation, path),
      ...[...always, ...context.chance.some(asked, mostQueries)].map((one) => read(operation, `${bare}?${one}`)),
      ...(isData ? endings.map((ending) => read(operation, `${bare}${ending}`)) : []),
    ])
  }
  return count
}

const moves =
  /^(?:num_|last_|date_|_date|_submission_time|_last_edited|modified|updated|.*count.*|.*_at$|.*_time$)|submissions?$|hash|version/
const sharing = /^(?:users?|teams?|members|role|roles|invitations|permissions|is_org)$/

const ownRecords = (change: Change, recordIds: readonly number[]): boolean => {
  const holds = (value: unknown): boolean => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
    const { _id: id, instance } = value as { _id?: number; instance?: number }
    return recordIds.includes(Number(id)) || recordIds.includes(Number(instance))
  }
  return [...change.around, change.before, change.after].some(holds)
}

/** Why this role may never have made this change; undefined when it may. */
const faultOf = ({ role, tenant }: Stage, change: Change): string | undefined => {
  const { path, at, kind } = change
  const name = at.at(-1) ?? ''
  if (
    at.some((one) => moves.test(one)) ||
    /\/(?:messaging|star|charts|stats|export)|starred|monthly|deliveries/.test(path) ||
    // A widget counts records: one more changes what it counted.
    (path.includes('/widgets') && at.includes('data'))
  )
    return undefined
  const isSharing = at.some((one) => sharing.test(one)) || /\/(?:members|invitations|access|share)\b/.test(path)
  if (rank(role) < rank('owner') && name === 'owner' && kind === 'changed')
    return 'only owners change who owns something'
  if (
    rank(role) < rank('owner') &&
    /"owner"/.test(JSON.stringify(change.after ?? '')) &&
    isSharing &&
    kind !== 'removed'
  )
    return 'only owners make others owners'
  if (rank(role) >= rank('manager')) return undefined
  if (isSharing) return 'nobody below manager changes sharing'
  if (/\/restservices/.test(path)) return 'nobody below manager changes rest services'
  const isRecord = /\/(?:data|notes|submissionreview|media|files|metadata)\b/.test(path)
  // Whoever sees a record may add a note; to a form that asks nobody to sign in, everybody may submit.
  const isOpenToReaders = kind === 'added' && /\/(?:data|notes)\b/.test(path)
  if (isReader(role)) return isOpenToReaders ? undefined : 'readers change nothing that is there'
  if (isEnterer(role)) return kind === 'added' && isRecord ? undefined : 'who enters data changes nothing that is there'
  if (role === 'editor-minor' && ownRecords(change, tenant.recordIds)) return "editor-minor changes no other's record"
  return undefined
}

/** What destroys comes last: POST, PATCH, PUT, DELETE, and the largest things at the very end. */
const inOrder = (operations: readonly Operation[]): Operation[] => {
  const order = ['POST', 'PATCH', 'PUT', 'DELETE']
  const weight = ({ method, path }: Operation) =>
    order.indexOf(method) * 100 - (method === 'DELETE' ? path.split('/').length : 0)
  return operations
    .filter(({ isSafe, id }) => !isSafe && !/^(?:account|login|oauth|profile)/.test(id))
    .toSorted((a, b) => weight(a) - weight(b))
}

const changeAll = async (stage: Stage, views: readonly string[], share: number): Promise<number> => {
  const { context, person, known, tenant } = stage
  const kinds = kindsIn(context.operations)
  let before = await takeSnapshot(context, tenant.owner, views)
  let count = 0
  for (const operation of inOrder(context.operations)) {
    if (!context.hasTime(share)) break
    context.say(`${stage.role}: ${operation.id}`)
    const { address: origin } = context.server
    const options = {
      caller: person,
      kinds,
      own: known,
      other: known,
      origin,
      chance: context.chance,
      most: 2,
      withWords: true,
    }
    for (const { request } of attemptsOf(operation, options)) {
      const answer = await context.send(request)
      count += 1
      judgeSight(stage, operation, request, textOf(answer), String(answer.headers['content-type'] ?? ''))
      if (answer.status >= 300 || answer.status === 0) continue
      const after = await takeSnapshot(context, tenant.owner, views)
      const changes = changesBetween(before, after)
      before = after
      for (const change of changes) {
        const fault = faultOf(stage, change)
        if (fault === undefined) continue
        context.find(fault, place(stage, operation), describeChange(change), request)
        break
      }
    }
  }
  return count
}

const mostViews = 3

/** Of things, a few of each kind; what is only drawn from others is left out. */
const viewsOf = ({ paths }: Known): string[] => {
  const counts = new Map<string, number>()
  return [...paths].flatMap(([path, { id, pathNames }]) => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    const isDrawn =
      /^(?:chart|stats|openrosa|avatar|welcome|login|root|export|oauth|user|profile)|bbox|charts|history|version|form_details|\.form$|file/
    const isOfThing = pathNames.length > 0 || path.includes('?')
    return !isOfThing || count > mostViews * (pathNames.length > 0 ? 1 : 3) || isDrawn.test(id) ? [] : [path]
  })
}

const giveRole = async (context: Context, tenant: Tenant, person: Caller, role: Role, way: Way): Promise<void> => {
  const { owner, projectId, org, teamId } = tenant
  if (way === 'directly')
    return void (await make(context, owner, `/projects/${projectId}/share`, { username: person.name, role }, 'PUT'))
  if (way === 'by an organization') {
    const fields = role === 'member' ? { username: person.name } : { username: person.name, role }
    return void (await make(context, owner, `/orgs/${org}/members`, fields))
  }
  await make(context, owner, `/teams/${teamId}/members`, { username: person.name })
  await make(context, owner, `/teams/${teamId}/share`, { project: projectId, role })
}

const tryRole = async (
  context: Context,
  receiver: Receiver,
  number: number,
  { role, way, isOpen }: { role: Role; way: Way; isOpen: boolean },
  share: number,
): Promise<{ read: number; changed: number }> => {
  context.say(`${role} ${way}`)
  const tenant = await makeTenant(context, { name: `own${number}`, receiverUrl: receiver.url, isOpen })
  const known = await learn(context, tenant.owner)
  const person = await register(context, `role${number}`)
  await giveRole(context, tenant, person, role, way)
  // A role in an organization opens none of its projects, but for owners.
  const maySubmit = rank(role) > rank('readonly') && way !== 'by an organization'
  if (maySubmit) await submit(context, person, tenant.form, { name: 'of their own' })
  const stage: Stage = { context, tenant, person, role, way, isOpen, known }
  const read = await readAll(stage, share)
  const views = await steady(context, tenant.owner, viewsOf(known))
  return { read, changed: role === 'owner' ? 0 : await changeAll(stage, views, share) }
}

export const ownRoles: Part = {
  name: 'roles',
  description:
    'every operation by one person of each role, directly, by a team and by an organization, on private and public data',
  weight: 26,
  run: async (context) => {
    // A tenant for every role comes from one address here, and asks whether names are taken.
    await context.start({ CREDENTIAL_REQUESTS_PER_ADDRESS: '1000000' })
    const receiver = await startReceiver()
    const cases = roles.flatMap((role) =>
      waysOf(role).flatMap((way) => [false, true].map((isOpen) => ({ role, way, isOpen }))),
    )
    // Every role at least once, those with something between yes and no first; the rest as far as time goes.
    const firsts: readonly [Role, boolean][] = [
      ['editor-minor', true],
      ['dataentry-minor', false],
      ['readonly', false],
      ['manager', false],
    ]
    const isFirst = ({ role, isOpen }: { role: Role; isOpen: boolean }) =>
      firsts.findIndex(([name, open]) => name === role && open === isOpen)
    const ordered = context.chance.some(cases, cases.length)
    const seen = new Set<string>()
    const first = firsts.flatMap(
      ([role, isOpen]) => ordered.find((one) => one.role === role && one.isOpen === isOpen) ?? [],
    )
    for (const one of first) seen.add(one.role)
    const once = ordered.filter((one) => isFirst(one) === -1 && !seen.has(one.role) && seen.add(one.role))
    const queue = [...first, ...once, ...ordered.filter((one) => !first.includes(one) && !once.includes(one))]
    context.ready()
    const counts = { read: 0, changed: 0, cases: 0, roles: new Set<Role>() }
    try {
      for (const [number, one] of queue.entries()) {
        if (!context.hasTime(0.95)) break
        const { read, changed } = await tryRole(context, receiver, number, one, 1)
        counts.read += read
        counts.changed += changed
        counts.cases += 1
        counts.roles.add(one.role)
      }
    } finally {
      receiver.close()
    }
    return `${counts.roles.size} of ten roles in ${counts.cases} of ${queue.length} ways: ${counts.read} reads, ${counts.changed} attempts to change; what the owner sees was compared after each that was taken`
  },
}
