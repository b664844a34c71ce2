// Mails that one person can cause, and where their links lead.
import { setTimeout as sleep } from 'node:timers/promises'
import { plausible } from '../attempts.js'
import type { Operation } from '../description.js'
import { combinations, kindOfName, kindsIn, learn } from '../known.js'
import type { Context, Part } from '../part.js'
import { anonymous, type Caller, jsonRequest, type Request } from '../request.js'
import { register } from '../world/account.js'
import { startReceiver } from '../world/receiver.js'
import { makeTenant } from '../world/tenant.js'

/** Of one person, in one minute, to everybody. Whoever invites a whole team needs a few dozen. */
const mostMails = 60
const evil = 'evil.example'
const settleMs = 1500

/** Fields that say where somebody is led. */
const isAddress = (name: string): boolean => /_ur[li]$|^next$|redirect/.test(name)

const mailing = /email|invitation|share|members|reset|verification/

/** With everything that could cause a mail; the receiver is another each time. */
const mailingRequest = (
  operation: Operation,
  path: string,
  caller: Caller,
  people: readonly string[],
  number: number,
): Request => {
  const fields = Object.entries(operation.body?.properties ?? {}).map(([name, schema]) => {
    if (/^email_(?:msg|subject)$/.test(name)) return [name, `buy now ${number}`]
    if (name === 'email')
      return [name, operation.id.includes('reset') ? 'victim@example.org' : `target${number}@example.org`]
    if (name === 'username') return [name, people[number % people.length]]
    if (name === 'role') return [name, number % 2 === 0 ? 'readonly' : 'editor']
    if (name === 'invitation_id') return [name, 1]
    if (name === 'remove') return [name, undefined]
    if (isAddress(name)) return [name, 'http://127.0.0.1/']
    return [name, plausible(name, schema)]
  })
  return jsonRequest(operation.method, path, caller, Object.fromEntries(fields))
}

const flood = async (
  context: Context,
  caller: Caller,
  people: readonly string[],
  times: number,
): Promise<{ mails: number; seconds: number; by: Map<string, number> }> => {
  const known = await learn(context, caller)
  const operations = context.operations.filter(({ isSafe, id, path, body }) => {
    const names = Object.keys(body?.properties ?? {}).join(' ')
    return (
      !isSafe &&
      mailing.test(`${id} ${path} ${names}`) &&
      !/delete|remove|revoke|^profile\.(?:put|patch|register)/.test(id)
    )
  })
  const [before, begun] = [context.server.mails().length, performance.now()]
  const by = new Map<string, number>()
  for (const operation of operations) {
    const path = combinations(operation, known, 1)[0]
    if (path === undefined) continue
    const had = context.server.mails().length
    for (let number = 0; number < times; number += 1) {
      await context.send(mailingRequest(operation, path, caller, people, number))
      if (performance.now() - begun > 55_000) break
    }
    await sleep(300)
    by.set(operation.id, context.server.mails().length - had)
  }
  const seconds = (performance.now() - begun) / 1000
  await sleep(settleMs)
  return { mails: context.server.mails().length - before, seconds, by }
}

/** Nobody is led to another site, by a mail or by an answer. */
const misled = async (context: Context, caller: Caller): Promise<number> => {
  const known = await learn(context, caller)
  const kinds = kindsIn(context.operations)
  const target = `https://${evil}/steal`
  let count = 0
  for (const operation of context.operations) {
    const inQuery = operation.query.filter(({ name }) => isAddress(name))
    const inBody = Object.keys(operation.body?.properties ?? {}).filter(isAddress)
    if (inQuery.length + inBody.length === 0 || /xls_url|service_url/.test(inBody.join(' '))) continue
    const path = combinations(operation, known, 1)[0] ?? operation.path.replace(/\{\w+\}/g, '1')
    const fields = Object.entries(operation.body?.properties ?? {}).map(([name, schema]) => {
      if (isAddress(name)) return [name, target]
      if (name === 'email') return [name, 'victim@example.org']
      const kind = kindOfName(name, kinds, schema)
      return [name, (kind === undefined ? undefined : known.of(kind)[0]) ?? plausible(name, schema)]
    })
    const question = inQuery.map(({ name }) => `${name}=${encodeURIComponent(target)}`).join('&')
    const hosts: Readonly<Record<string, string>>[] = [{}, { host: evil }]
    for (const [who, headers] of [caller, anonymous].flatMap((one) => hosts.map((host) => [one, host] as const))) {
      const usual = jsonRequest(
        operation.method,
        `${path}${question === '' ? '' : `?${question}`}`,
        who,
        operation.isSafe ? undefined : Object.fromEntries(fields),
      )
      const request = { ...usual, headers: { ...usual.headers, ...headers } }
      const before = new Set(context.server.mails())
      const answer = await context.send(request)
      count += 1
      const location = String(answer.headers.location ?? '')
      // The address of a registered program is where its owner wants to be led; others are not led there by a plain answer.
      if (location.startsWith('https://evil'))
        context.find('an answer leads to another site', operation.id, location, request)
      await sleep(150)
      const mail = context.server.mails().find((one) => !before.has(one) && one.includes(evil))
      if (mail !== undefined) {
        const line = mail.split('\n').find((one) => one.includes(evil)) ?? ''
        context.find(
          'a mail leads to another site',
          `${operation.id}${'host' in headers ? ' with a Host of theirs' : ''}`,
          line.trim(),
          request,
        )
      }
    }
  }
  return count
}

export const mails: Part = {
  name: 'mails',
  description: 'mails that one person can cause in a minute, and links in them that lead elsewhere',
  weight: 6,
  run: async (context) => {
    await context.start({ ENABLE_EMAIL_VERIFICATION: 'true' })
    const receiver = await startReceiver()
    try {
      const people: string[] = []
      for (const name of ['victim', 'pia', 'quin', 'rosa', 'sven', 'tara'])
        people.push((await register(context, name)).name)
      const eve = await makeTenant(context, { name: 'eve', receiverUrl: receiver.url })
      context.ready()
      context.say('leading elsewhere')
      const led = await misled(context, eve.owner)
      context.say('sending many')
      const { mails: count, seconds, by } = await flood(context, eve.owner, people, context.seconds < 15 ? 20 : 40)
      const most = [...by].toSorted(([, a], [, b]) => b - a).slice(0, 3)
      const words = most.map(([id, number]) => `${number} by ${id}`).join(', ')
      if (count > mostMails && seconds <= 60)
        context.find(
          `one person causes more than ${mostMails} mails in a minute`,
          most[0]?.[0] ?? '',
          `${count} in ${seconds.toFixed(0)} s: ${words}`,
          `for n in $(seq 90); do curl -u 'eve:correct horse' "$A/api/v1/projects/1/share" -d username=pia -d role=readonly -d email_msg=x$n; done`,
        )
      return `${led} requests that lead elsewhere; ${count} mails by one person in ${seconds.toFixed(0)} s (${words})`
    } finally {
      receiver.close()
    }
  },
}
