// Hostile values in every name of an address, every question and every field of a body, and hostile bodies as a whole.
import { plausible } from '../attempts.js'
import type { Operation } from '../description.js'
import { hostileBodies, hostileSegments, hostileValues, hostileXml } from '../hostile.js'
import { combinations, type Known, kindInPath, learn, sample } from '../known.js'
import type { Context, Part } from '../part.js'
import { type Caller, jsonRequest, type Request } from '../request.js'
import { multipart, multipartType } from '../world/multipart.js'
import { startReceiver } from '../world/receiver.js'
import { makeTenant, type Tenant } from '../world/tenant.js'
import { farCell, manySheets, packedText, wideCell } from '../world/workbook.js'

/** What would end the attack: the caller's own password and tokens. */
const isSparing = ({ id }: Operation): boolean =>
  /change_password|regenerate|expire|^login|project\.delete|form\.delete|organization\.member\.remove|profile\.(?:put|patch)/.test(
    id,
  )

const usualPath = (operation: Operation, known: Known): string | undefined =>
  combinations(operation, known, 1)[0] ?? undefined

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? ''
  return text.length > 200 ? `${text.slice(0, 60)}…` : text
}

/** One name of the address in turn is hostile; the others are right. */
const inPaths = (operation: Operation, known: Known, caller: Caller): Request[] =>
  operation.pathNames.flatMap((name) => {
    const others = operation.pathNames.filter((one) => one !== name)
    let path = operation.path
    for (const other of others) {
      const value = known.of(kindInPath(operation.path, other))[0] ?? sample(other, operation.pathParameters[other])
      path = path.replace(`{${other}}`, encodeURIComponent(value))
    }
    return hostileSegments.map((value) => ({
      method: operation.method,
      path: path.replace(`{${name}}`, value),
      caller,
      ...(!operation.isSafe && { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') }),
    }))
  })

const encoded = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // A lone half of a character cannot be escaped by the rules; its bytes can.
  return /\p{Surrogate}/u.test(text) ? '%ed%a0%80' : encodeURIComponent(text.slice(0, 8000))
}

const inQueries = (operation: Operation, path: string, caller: Caller): Request[] =>
  operation.query
    .filter(({ name }) => !/__(?:lt|lte|gt|gte)$/.test(name))
    .flatMap(({ name }) => [
      ...hostileValues.map((value) => ({ method: 'GET', path: `${path}?${name}=${encoded(value)}`, caller })),
      { method: 'GET', path: `${path}?${name}=1&${name}=2&${name}[]=3&__proto__=4&${name}=%00`, caller },
    ])

const inFields = (operation: Operation, path: string, caller: Caller): Request[] => {
  const fields = Object.entries(operation.body?.properties ?? {})
  const usual = Object.fromEntries(fields.map(([name, schema]) => [name, plausible(name, schema)]))
  return fields.flatMap(([name]) =>
    hostileValues.map((value) => {
      const request = jsonRequest(operation.method, path, caller, { ...usual, [name]: value })
      const small = short(value)
      return small.endsWith('…') ? request : { ...request, headers: { ...request.headers, accept: 'application/json' } }
    }),
  )
}

const asWhole = (operation: Operation, path: string, caller: Caller): Request[] =>
  hostileBodies.map(({ type, headers = {}, body, recipe }) => ({
    method: operation.method,
    path,
    caller,
    headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    body,
    ...(recipe !== undefined && { recipe }),
  }))

const submissions = ({ owner, form }: Tenant, operation: Operation, path: string): Request[] =>
  operation.body?.properties?.xml_submission_file === undefined
    ? []
    : hostileXml.map(({ xml }) => ({
        method: 'POST',
        path,
        caller: owner,
        headers: { 'content-type': multipartType },
        body: multipart([
          {
            name: 'xml_submission_file',
            filename: 'x.xml',
            type: 'text/xml',
            bytes: typeof xml === 'string' ? xml.replace('id="f"', `id="${form.idString}"`) : xml,
          },
        ]),
      }))

/** Workbooks that say more than they hold, as forms. */
const workbooks = (operation: Operation, path: string, caller: Caller): Request[] =>
  operation.body?.properties?.xls_file === undefined || !/publish|plan/.test(operation.id)
    ? []
    : [
        farCell(1_048_576),
        wideCell(1_048_576),
        packedText(30),
        manySheets(300),
        Buffer.from('PK\u0003\u0004 and no more'),
      ].map((bytes) => ({
        method: operation.method,
        path,
        caller,
        headers: { 'content-type': multipartType },
        body: multipart([{ name: 'xls_file', filename: 'x.xlsx', bytes }]),
      }))

const atOnce = 6

const sendAll = async (context: Context, requests: readonly Request[], share: number): Promise<number> => {
  let next = 0
  const run = async () => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      if (!context.hasTime(share) || !context.server.isAlive) return
      await context.send(request)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return Math.min(next, requests.length)
}

export const bodies: Part = {
  name: 'bodies',
  description:
    'hostile values in every name, question and field of every operation, hostile bodies as a whole, hostile XML',
  weight: 16,
  run: async (context) => {
    const receiver = await startReceiver()
    const begin = async () => {
      await context.start()
      return makeTenant(context, { name: 'ana', receiverUrl: receiver.url })
    }
    try {
      const tenant = await begin()
      const known = await learn(context, tenant.owner)
      const caller: { -readonly [key in keyof Caller]: Caller[key] } = tenant.owner
      /** The same world again; only the token is another. */
      const again = async () => {
        const { owner } = await begin()
        if (owner.token !== undefined) caller.token = owner.token
      }
      context.ready()
      const deadly = new Set<Buffer | string>()
      const usable = context.operations.filter((operation) => !isSparing(operation))
      const requestsOf = (operation: Operation): Request[] => {
        const path = usualPath(operation, known)
        const isDeleting = operation.method === 'DELETE'
        return [
          ...inPaths(operation, known, caller),
          ...(path !== undefined && operation.isSafe ? inQueries(operation, path, caller) : []),
          ...(path !== undefined && operation.body !== undefined && !isDeleting
            ? [...inFields(operation, path, caller), ...asWhole(operation, path, caller)]
            : []),
          ...(path === undefined
            ? []
            : [...submissions(tenant, operation, path), ...workbooks(operation, path, caller)]),
        ]
      }
      const each = usable.map((operation) => context.chance.some(requestsOf(operation), Number.POSITIVE_INFINITY))
      const whole = each.reduce((sum, { length }) => sum + length, 0)
      // Some of each operation before more of any: whatever time there is goes over all of them.
      const [rounds, sent] = [8, { count: 0 }]
      for (let round = 0; round < rounds && context.hasTime(); round += 1) {
        for (const [number, requests] of each.entries()) {
          if (!context.hasTime()) break
          context.say(`${usable[number]?.id}, ${sent.count} of ${whole}`)
          const size = Math.ceil(requests.length / rounds)
          const due = requests.slice(round * size, (round + 1) * size)
          sent.count += await sendAll(
            context,
            due.filter(({ body, path }) => !deadly.has(body ?? path)),
            1,
          )
          await context.sweepStalls()
          if (context.server.isAlive) continue
          // What ends it is told once, and left out from then on.
          const culprit = await context.blame(again)
          if (culprit === undefined) await again()
          else deadly.add(culprit.body ?? culprit.path)
        }
      }
      return `${sent.count.toLocaleString('en')} of ${whole.toLocaleString('en')} hostile requests over ${usable.length} operations`
    } finally {
      receiver.close()
    }
  },
}
