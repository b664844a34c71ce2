// What another site can make a browser do: every unsafe operation with the credentials that browsers send by themselves.
import { attemptsOf } from '../attempts.js'
import type { Operation } from '../description.js'
import { combinations, type Known, kindsIn, learn } from '../known.js'
import type { Context, Part } from '../part.js'
import { type Answer, anonymous, type Caller, password, type Request, textOf } from '../request.js'
import { must } from '../world/account.js'
import { startReceiver } from '../world/receiver.js'
import { makeTenant } from '../world/tenant.js'

const evil = 'https://evil.example'

/** Ways in which a browser says where a request comes from; old ones say the origin only. */
const origins: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', origin: evil },
  { origin: evil },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site', origin: 'http://other.127.0.0.1.example' },
]

const basicOf = ({ name, password: secret }: Caller): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`

/** Signs in to the pages as a browser does; the cookies it has then. */
const cookiesOf = async (context: Context, caller: Caller): Promise<string> => {
  const page = await must(context, { method: 'GET', path: '/accounts/login', headers: { accept: 'text/html' } })
  const take = (headers: Request['headers'] | object): string[] =>
    [(headers as Record<string, string | string[] | undefined>)['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';')[0] ?? '')
  const first = take(page.headers)
  const csrf = /name="csrf" value="([^"]*)"/.exec(textOf(page))?.[1] ?? ''
  const signedIn = await context.send({
    method: 'POST',
    path: '/accounts/login',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      cookie: first.join('; '),
      'sec-fetch-site': 'same-origin',
      origin: context.server.address,
    },
    body: Buffer.from(new URLSearchParams({ username: caller.name, password, csrf, next: '/' }).toString()),
  })
  return [...first, ...take(signedIn.headers)].filter((one) => !one.endsWith('=')).join('; ')
}

/** What a form of another site can send; the rest needs a script, which asks first. */
const asForm = (request: Request): Request => {
  const fields = JSON.parse(request.body?.toString() ?? '{}') as Record<string, unknown>
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return {
    ...request,
    headers: { ...request.headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams(pairs).toString()),
  }
}

/** Open to everybody, or with a proof of its own that the page was opened here. */
const needsNobody = ({ id }: Operation): boolean =>
  /^(?:login\.submit|oauth\.token|profile\.register|account\.reset)/.test(id)

/** Some ask by POST for what a GET shows as well: only whoever asks reads the answer. */
const isReading = async (context: Context, request: Request, answer: Answer): Promise<boolean> => {
  const hasGet = context.operations.some(({ path, isSafe }) => isSafe && path === request.path)
  if (!hasGet || answer.status === 0 || answer.status >= 300) return false
  const { authorization = '' } = request.headers ?? {}
  const shown = await context.send({ method: 'GET', path: request.path, headers: { authorization } })
  return textOf(shown) === textOf(answer)
}

/** Some lead to a page of ours that asks the person, as whoever signs people out elsewhere must be able to. Nothing may have
 * ended by that. */
const isAsking = async (context: Context, request: Request, answer: Answer): Promise<boolean> => {
  const { location = '' } = answer.headers as { location?: string }
  if (answer.status !== 303 || !location.startsWith(`${request.path}?`)) return false
  const { cookie = '', authorization = '' } = request.headers ?? {}
  const headers = cookie === '' ? { authorization } : { cookie }
  const page = await context.send({
    method: 'GET',
    path: '/o/applications/',
    headers: { ...headers, accept: 'text/html' },
  })
  return page.status === 200
}

const tryUnsafe = async (
  context: Context,
  known: Known,
  caller: Caller,
  signs: readonly { name: string; headers: Record<string, string> }[],
): Promise<number> => {
  const kinds = kindsIn(context.operations)
  let count = 0
  const unsafe = context.operations.filter((operation) => !operation.isSafe && !needsNobody(operation))
  const last = (operation: Operation) =>
    operation.method === 'DELETE' || /delete|password|expire/.test(operation.id) ? 1 : 0
  for (const operation of unsafe.toSorted((a, b) => last(a) - last(b))) {
    if (!context.hasTime()) break
    context.say(operation.id)
    const options = {
      caller: anonymous,
      kinds,
      own: known,
      other: known,
      origin: context.server.address,
      chance: context.chance,
      most: 1,
    }
    const [attempt] = attemptsOf(operation, options)
    const path = attempt?.request.path ?? combinations(operation, known, 1)[0] ?? operation.path
    const usual: Request = attempt?.request ?? { method: operation.method, path, body: Buffer.from('{}') }
    const isForm = usual.headers?.['content-type'] === 'application/json' || usual.headers === undefined
    // Whatever no form can send, a browser asks for first, and is not allowed its credentials.
    const isSimple = operation.method === 'POST'
    for (const [number, from] of origins.slice(0, isSimple ? origins.length : 1).entries()) {
      for (const { name, headers } of number === 0 ? signs : signs.slice(0, 1)) {
        const bare = isForm && isSimple ? asForm(usual) : usual
        const request: Request = {
          ...bare,
          caller: { ...caller, token: undefined as never },
          headers: { ...bare.headers, ...headers, ...from },
        }
        const answer = await context.send(request)
        count += 1
        // A cookie is no sign-in everywhere.
        if (answer.status === 403 || (answer.status === 401 && name !== 'Basic')) continue
        if ((await isReading(context, request, answer)) || (await isAsking(context, request, answer))) continue
        const place = `${operation.id} with ${name}`
        context.find(
          'a request of another site is not refused',
          place,
          `${answer.status}: ${textOf(answer).slice(0, 120)}`,
          request,
        )
      }
    }
  }
  return count
}

/** A link can only ask; nothing may come of it. */
const tryLinks = async (context: Context, known: Known, caller: Caller): Promise<number> => {
  const authorization = basicOf(caller)
  const state = async () =>
    textOf(await context.send({ method: 'GET', path: '/api/v1/user', headers: { authorization } }))
  let [before, count] = [await state(), 0]
  for (const operation of context.operations.filter(({ isSafe }) => isSafe)) {
    const path = combinations(operation, known, 1)[0]
    if (path === undefined || !context.hasTime()) continue
    const request: Request = { method: 'GET', path, headers: { authorization, ...origins[0] } }
    const answer = await context.send(request)
    count += 1
    const after = await state()
    if (after !== before)
      context.find('a link of another site changes something', operation.id, `${answer.status}`, request)
    before = after
  }
  return count
}

/** A program in a browser that brings its own token is no other site's doing. */
const tryPrograms = async (context: Context, caller: Caller): Promise<void> => {
  const request: Request = {
    method: 'PATCH',
    path: `/api/v1/profiles/${caller.name}`,
    caller,
    headers: { 'content-type': 'application/json', ...origins[0] },
    body: Buffer.from('{"city":"Lima"}'),
  }
  const answer = await context.send(request)
  if (answer.status !== 200)
    context.find('a program with a token of its own is refused', 'profile.patch', `${answer.status}`, request)
}

export const crossSite: Part = {
  name: 'cross-site',
  description: 'every unsafe operation from another site, with Basic and with the cookie of a session; every link',
  weight: 8,
  run: async (context) => {
    await context.start()
    const receiver = await startReceiver()
    try {
      const tenant = await makeTenant(context, { name: 'ana', receiverUrl: receiver.url })
      const known = await learn(context, tenant.owner)
      context.ready()
      await tryPrograms(context, tenant.owner)
      const cookie = await cookiesOf(context, tenant.owner)
      const signs = [
        { name: 'Basic', headers: { authorization: basicOf(tenant.owner) } },
        { name: 'a cookie', headers: { cookie } },
      ]
      const links = await tryLinks(context, known, tenant.owner)
      const unsafe = await tryUnsafe(context, known, tenant.owner, signs)
      return `${unsafe} unsafe requests and ${links} links from another site`
    } finally {
      receiver.close()
    }
  },
}
