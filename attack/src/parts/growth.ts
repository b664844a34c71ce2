// Texts that nearly are something, at growing sizes: in answers followed by every way of reading them, in questions, in fields.
import { setTimeout as sleep } from 'node:timers/promises'
import { plausible } from '../attempts.js'
import { type Probe, watchGrowth } from '../growth.js'
import { combinations, type Known, learn } from '../known.js'
import { type NearMiss, nearMiss, nearMisses, recipeOf } from '../near-misses.js'
import type { Context, Part } from '../part.js'
import { type Caller, curlOf, jsonOf, jsonRequest, type Request } from '../request.js'
import { make, register } from '../world/account.js'
import { formText, questions, xmlOf } from '../world/form.js'
import { multipart, multipartType } from '../world/multipart.js'
import { publish, submit, type TenantForm } from '../world/tenant.js'
import { farCell } from '../world/workbook.js'

/** Small steps first: what doubles with each character must be met before it never ends. */
const textSizes = [6, 10, 14, 18, 22, 26, 32, 200, 2000, 8000, 32_000]
const questionSizes = [6, 10, 14, 18, 22, 26, 32, 200, 1000, 4000]
const fieldSizes = [22, 200, 4000, 16_000, 64_000]

const flowResults = 'application/vnd.org.flowinterop.results+json'

interface Ground {
  owner: Caller
  known: Known
  form: TenantForm
}

/** A server with one form, made again whenever somebody has got the former one stuck. */
const newGround = async (context: Context, number: number): Promise<Ground> => {
  await context.start()
  const owner = await register(context, 'ana')
  const form = await newForm(context, owner, `g${number}`)
  await submit(context, owner, form, { name: 'usual' })
  return { owner, form, known: await learn(context, owner) }
}

const newForm = (context: Context, owner: Caller, idString: string): Promise<TenantForm> =>
  publish(context, owner, undefined, idString, formText(idString, 'usual'))

const anonymousPost = (form: TenantForm, xml: string, recipe?: string): Request => ({
  method: 'POST',
  path: '/ana/submission',
  headers: { 'content-type': multipartType, 'x-openrosa-version': '1.0' },
  body: multipart([{ name: 'xml_submission_file', filename: 'x.xml', type: 'text/xml', bytes: xml }]),
  recipe: `'--${multipartType.slice(30)}\\r\\nContent-Disposition: form-data; name="xml_submission_file"; filename="x.xml"\\r\\n\\r\\n'+${recipe ?? JSON.stringify(xml.slice(0, 500))}+'\\r\\n--${multipartType.slice(30)}--\\r\\n'`,
  before: [`# form ${form.idString}, published by ana`],
})

const readsOf = ({ form }: Ground, caller: Caller): Request[] => {
  const get = (path: string, headers: Record<string, string> = {}): Request => ({ method: 'GET', path, caller, headers })
  const data = `/api/v1/data/${form.id}`
  return [
    get(data),
    get(`${data}?sort={"name":1}&query={"name":{"$i":"x"}}`),
    ...['csv', 'xlsx', 'xml', 'geojson', 'kml', 'csvzip'].map((ending) => get(`${data}.${ending}`)),
    get(data, { accept: flowResults }),
    get(`/api/v1/charts/${form.id}?fields=all&refresh=true`),
    get(`/api/v1/stats/${form.id}?refresh=true`),
  ]
}

const recordsAfter = async (context: Context, { owner, form }: Ground): Promise<void> => {
  await make(context, owner, `/data/${form.id}`, { delete_all: true }, 'DELETE')
}

/** One text as the answer to every question: receiving it, then reading it in every way. */
const inAnswers = async (context: Context, ground: Ground, text: NearMiss): Promise<boolean> => {
  const { form, owner } = ground
  const post = (units: number): Request => {
    const answers = Object.fromEntries(questions.map((name) => [name, nearMiss(text, units)]))
    const xml = xmlOf(form.idString, { uuid: context.chance.uuid(), answers })
    const element = `'<name>'+${recipeOf(text, units)}+'</name><home>'+${recipeOf(text, units)}+'</home>'`
    return anonymousPost(form, xml, `'<data id="${form.idString}">'+${element}+'</data>'`)
  }
  const words = JSON.stringify(text.head + text.unit).slice(0, 30)
  const received = await watchGrowth(context, { name: 'receiving an answer', sizes: textSizes, request: post })
  if (received.isStuck) return true
  let grown = received.hasGrown ? 1 : 0
  for (const [number] of readsOf(ground, owner).entries()) {
    const probe: Probe = {
      name: `reading an answer: ${placeOfRead(readsOf(ground, owner)[number])}`,
      sizes: textSizes,
      prepare: async (units) => {
        await recordsAfter(context, ground)
        await context.send(post(units))
      },
      request: (units) => {
        const read = readsOf(ground, owner)[number] as Request
        return { ...read, before: [curlOf(post(units))] }
      },
    }
    context.say(`${words}: ${probe.name}`)
    const { isStuck, hasGrown } = await watchGrowth(context, probe)
    if (isStuck) return true
    // One text in two places is enough: the rest is the same pattern.
    if (hasGrown) grown += 1
    if (grown >= 2 || !context.hasTime()) break
  }
  return false
}

const placeOfRead = (request: Request | undefined): string =>
  `${request?.path.replace(/\/\d+/, '/{pk}').replace(/\?.*/, '')}${request?.headers?.accept === undefined ? '' : ' as flow results'}`

/** Whether all reads together are slow at some size: only then each of them is looked at. */
const screenAnswers = async (context: Context, ground: Ground, text: NearMiss): Promise<'fine' | 'slow' | 'stuck'> => {
  for (const units of [10, 18, 24, 4000]) {
    const answers = Object.fromEntries(questions.map((name) => [name, nearMiss(text, units)]))
    const xml = xmlOf(ground.form.idString, { uuid: context.chance.uuid(), answers })
    await recordsAfter(context, ground)
    const read = context.server.meter()
    const posted = await context.send({ ...anonymousPost(ground.form, xml), timeoutMs: 15_000 })
    if (posted.status === 0) return 'stuck'
    for (const request of readsOf(ground, ground.owner)) {
      const answer = await context.send({ ...request, timeoutMs: 15_000, before: [curlOf(anonymousPost(ground.form, xml, `'<data id="${ground.form.idString}"><name>'+${recipeOf(text, units)}+'</name></data>'`))] })
      if (answer.status === 0) return 'stuck'
    }
    context.sweepStalls()
    // All of them for an ordinary record take about a tenth of a second.
    if (read() > 0.6) return 'slow'
  }
  return 'fine'
}

/** Shapes of XML that cost more than their size, each in a form of its own. */
const shapes: readonly { name: string; sizes: readonly number[]; inner: (size: number) => string; recipe: (size: number) => string }[] = [
  {
    name: 'different names',
    sizes: [500, 2000, 8000, 30_000, 100_000],
    inner: (size) => Array.from({ length: size }, (_, n) => `<n${n}>1</n${n}>`).join(''),
    recipe: (size) => `Array.from({length:${size}},(_, n)=>'<n'+n+'>1</n'+n+'>').join('')`,
  },
  {
    name: 'prefixes and children that declare one each',
    sizes: [500, 1000, 2000, 4000, 8000, 16_000],
    inner: (size) => `<w ${Array.from({ length: Math.ceil(size / 6) }, (_, n) => `xmlns:p${n}="u${n}"`).join(' ')}>${'<c xmlns:q="v"/>'.repeat(size)}</w>`,
    recipe: (size) => `'<w '+Array.from({length:${Math.ceil(size / 6)}},(_, n)=>'xmlns:p'+n+'="u'+n+'"').join(' ')+'>'+'<c xmlns:q="v"/>'.repeat(${size})+'</w>'`,
  },
  {
    name: 'repeats',
    sizes: [200, 1000, 4000, 16_000],
    inner: (size) => '<child><child_name>x</child_name></child>'.repeat(size),
    recipe: (size) => `'<child><child_name>x</child_name></child>'.repeat(${size})`,
  },
  {
    name: 'repeats with names of their own',
    sizes: [200, 1000, 4000, 16_000],
    inner: (size) => Array.from({ length: size }, (_, n) => `<child><m${n}>x</m${n}></child>`).join(''),
    recipe: (size) => `Array.from({length:${size}},(_, n)=>'<child><m'+n+'>x</m'+n+'></child>').join('')`,
  },
  {
    name: 'elements in each other',
    sizes: [20, 100, 500, 2000, 10_000],
    inner: (size) => '<a>'.repeat(size) + '</a>'.repeat(size),
    recipe: (size) => `'<a>'.repeat(${size})+'</a>'.repeat(${size})`,
  },
  {
    name: 'the same element',
    sizes: [500, 2000, 8000, 30_000],
    inner: (size) => '<name>x</name>'.repeat(size),
    recipe: (size) => `'<name>x</name>'.repeat(${size})`,
  },
  {
    name: 'attributes',
    sizes: [500, 2000, 8000, 30_000],
    inner: (size) => `<w ${Array.from({ length: size }, (_, n) => `a${n}="1"`).join(' ')}/>`,
    recipe: (size) => `'<w '+Array.from({length:${size}},(_, n)=>'a'+n+'="1"').join(' ')+'/>'`,
  },
  {
    name: 'files that are named',
    sizes: [200, 1000, 4000, 16_000],
    inner: (size) => Array.from({ length: size }, (_, n) => `<photo>p${n}.jpg</photo>`).join(''),
    recipe: (size) => `Array.from({length:${size}},(_, n)=>'<photo>p'+n+'.jpg</photo>').join('')`,
  },
]

/** Answers whether the server is still of use. */
const inShapes = async (context: Context, ground: Ground, number: number): Promise<boolean> => {
  const shape = shapes[number]
  if (shape === undefined) return true
  context.say(shape.name)
  const form = await newForm(context, ground.owner, `s${number}`)
  const own = { ...ground, form }
  const request = (size: number): Request =>
    anonymousPost(
      form,
      `<data id="${form.idString}">${shape.inner(size)}<meta><instanceID>uuid:${context.chance.uuid()}</instanceID></meta></data>`,
      `'<data id="${form.idString}">'+${shape.recipe(size)}+'</data>'`,
    )
  const { isStuck } = await watchGrowth(context, { name: `receiving ${shape.name}`, sizes: shape.sizes, request })
  if (isStuck) return false
  for (const read of readsOf(own, ground.owner)) {
    const answer = await context.send({ ...read, timeoutMs: 30_000, before: [curlOf(request(shape.sizes.at(-1) ?? 0))] })
    context.sweepStalls(read)
    if (answer.status === 0) return false
    if (answer.status >= 500)
      context.find('one submission makes a form unreadable', `${shape.name}: ${placeOfRead(read)}`, `${answer.status}`, { ...read, before: [curlOf(request(shape.sizes.at(-1) ?? 0))] })
  }
  return true
}

/** Every question of every list with every text would take hours: so many of them are drawn. */
const inQuestions = async (context: Context, ground: Ground, text: NearMiss): Promise<boolean> => {
  const { owner, known } = ground
  const asked = context.operations.flatMap((operation) => {
    const path = operation.isSafe ? combinations(operation, known, 1)[0] : undefined
    const free = operation.query.filter(({ name }) => !/__|^page|^start$|^limit$|^format$/.test(name))
    return path === undefined ? [] : free.map(({ name }) => ({ name, path }))
  })
  const always = asked.filter(({ name, path }) => path === `/api/v1/data/${ground.form.id}` && /query|sort|fields|tags/.test(name))
  for (const { name, path } of [...always, ...context.chance.some(asked, 12)]) {
    if (!context.hasTime()) return true
    const request = (units: number): Request => ({
      method: 'GET',
      path: `${path}?${name}=${encodeURIComponent(nearMiss(text, units)).slice(0, 14_000)}`,
      caller: owner,
    })
    const { isStuck } = await watchGrowth(context, { name: `${path.replace(/\/\d+/g, '/{pk}')}?${name}`, sizes: questionSizes, request })
    if (isStuck) return false
  }
  return true
}

const listSizes = [300, 1200, 4800]

const inFields = async (context: Context, ground: Ground, text: NearMiss): Promise<boolean> => {
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
    const named = { xform: `${address}/api/v1/forms/${ground.form.id}`, project: `${address}/api/v1/projects/${known.of('projects')[0]}` }
    const value = (size: number) => (isList ? Array.from({ length: size }, (_, n) => `unknown${n}`) : nearMiss(text, size))
    const probe: Probe = {
      name: `${operation.id}: ${name}${isList ? ' as a long list' : ''}`,
      sizes: isList ? listSizes : fieldSizes,
      request: (size) => jsonRequest(operation.method, path, owner, { ...usual, ...('columns' in usual && named), [name]: value(size) }),
    }
    const { isStuck } = await watchGrowth(context, probe)
    if (isStuck) return false
  }
  return true
}

const mostSecondsForJob = 25

/** Until the import is through; a job that has no end is a finding. */
const throughImport = async (context: Context, { owner, form }: Ground, job: string | undefined, request: Request): Promise<boolean> => {
  const end = performance.now() + mostSecondsForJob * 1000
  while (job !== undefined) {
    const path = `/api/v1/forms/${form.id}/import?job_uuid=${job}`
    const answer = await context.send({ method: 'GET', path, caller: owner })
    const { job_status: status } = jsonOf<{ job_status?: string }>(answer) ?? {}
    if (status !== 'PENDING' && status !== 'STARTED' && !/progress|running/i.test(status ?? '')) return true
    if (performance.now() > end) {
      context.find('a job has no end', 'import', `${status} after ${mostSecondsForJob} s`, request)
      return false
    }
    await sleep(100)
  }
  return true
}

const inImports = async (context: Context, ground: Ground): Promise<boolean> => {
  const { owner, form } = ground
  const upload = (name: string, filename: string, bytes: Buffer | string): Request => ({
    method: 'POST',
    path: `/api/v1/forms/${form.id}/import`,
    caller: owner,
    headers: { 'content-type': multipartType },
    body: multipart([{ name, filename, bytes }]),
  })
  const cases: readonly { name: string; sizes: readonly number[]; request: (size: number) => Request }[] = [
    { name: 'blank lines', sizes: [5000, 20_000, 60_000], request: (size) => upload('csv_file', 'x.csv', `name\n${'\n'.repeat(size)}x\n`) },
    { name: 'lines of commas', sizes: [1000, 4000, 16_000], request: (size) => upload('csv_file', 'x.csv', `name,age\n${',\n'.repeat(size)}x,1\n`) },
    { name: 'columns', sizes: [200, 1000, 5000], request: (size) => upload('csv_file', 'x.csv', `name,${Array.from({ length: size }, (_, n) => `c${n}`).join(',')}\nx\n`) },
    { name: 'an open quote', sizes: [1000, 20_000, 200_000], request: (size) => upload('csv_file', 'x.csv', `name\n"${'x\n'.repeat(size)}`) },
    { name: 'a cell far down', sizes: [1000, 30_000, 200_000, 1_048_576], request: (size) => upload('xls_file', 'x.xlsx', farCell(size)) },
  ]
  for (const { name, sizes, request } of cases) {
    if (!context.hasTime(0.75)) return true
    context.say(`import: ${name}`)
    let [isThrough, sent]: [boolean, Request | undefined] = [true, undefined]
    const probe: Probe = {
      name: `import of ${name}`,
      sizes,
      request: (size) => {
        sent = request(size)
        return sent
      },
      settle: async (answer) => {
        const job = jsonOf<{ task_id?: string; job_uuid?: string }>(answer)
        if (sent !== undefined) isThrough = await throughImport(context, ground, job?.job_uuid ?? job?.task_id, sent)
        if (!isThrough) throw new Stuck()
      },
    }
    try {
      const { isStuck } = await watchGrowth(context, probe)
      if (isStuck) return false
    } catch (error) {
      if (error instanceof Stuck) return false
      throw error
    }
    context.sweepStalls()
  }
  return true
}

class Stuck extends Error {}

/** Expressions of others over answers of others. */
const constraints = [
  `regex(., '(x{1,100}){1,100}y')`,
  `regex(., '(x+x+)+y')`,
  Array.from({ length: 60 }, () => 'count-selected(.) > 0').join(' and '),
  Array.from({ length: 60 }, () => `contains(., 'y')`).join(' or '),
  Array.from({ length: 60 }, () => `substr(., 1, 5) = 'y'`).join(' or '),
  `${'('.repeat(60)}. = 'y'${')'.repeat(60)}`,
]

const inPlans = async (context: Context, ground: Ground): Promise<boolean> => {
  for (const constraint of constraints) {
    if (!context.hasTime(0.85)) return true
    context.say(`plan: ${constraint.slice(0, 40)}`)
    const probe: Probe = {
      name: `a plan with ${constraint.slice(0, 40)}`,
      sizes: [20, 2000, 20_000, 100_000, 400_000],
      prepare: async (size) => {
        await recordsAfter(context, ground)
        const xml = xmlOf(ground.form.idString, { uuid: context.chance.uuid(), answers: { name: 'x '.repeat(size / 4) + 'x'.repeat(size / 2) } })
        await context.send(anonymousPost(ground.form, xml))
      },
      request: () => jsonRequest('POST', `/api/v1/forms/${ground.form.id}/plan`, ground.owner, { text_xls_form: formText(ground.form.idString, 'usual', { constraint }).replace(/,1$/, ',2') }),
    }
    const { isStuck } = await watchGrowth(context, probe)
    context.sweepStalls()
    if (isStuck) return false
  }
  return true
}

export const growth: Part = {
  name: 'growth',
  description: 'texts that nearly are something at growing sizes, in answers, questions, fields, imports and plans: CPU beside size',
  weight: 30,
  run: async (context) => {
    const isShort = context.seconds < 30
    let number = 0
    let ground = await newGround(context, number)
    const renew = async () => {
      number += 1
      ground = await newGround(context, number)
    }
    const counts = { texts: 0, shapes: 0, slow: 0, lost: 0 }
    const keep = async (isFine: boolean) => {
      if (isFine) return
      counts.lost += 1
      await renew()
    }
    const texts = nearMisses(context.chance, isShort ? 0 : 60)
    const screen = async (text: NearMiss) => {
      const screened = await screenAnswers(context, ground, text)
      counts.texts += 1
      if (screened === 'stuck') return keep(false)
      if (screened === 'fine') return
      counts.slow += 1
      await keep(!(await inAnswers(context, ground, text)))
    }
    for (const text of texts.slice(0, isShort ? 4 : 10)) if (context.hasTime(0.35)) await screen(text)
    for (const [place] of shapes.entries()) {
      if (!context.hasTime(isShort ? 0.9 : 0.6)) break
      counts.shapes += 1
      await keep(await inShapes(context, ground, place))
    }
    if (!isShort) await keep(await inImports(context, ground))
    if (!isShort) await keep(await inPlans(context, ground))
    for (const text of texts) {
      if (!context.hasTime()) break
      context.say(`in questions and fields: ${JSON.stringify(text.unit)}`)
      await keep(await inQuestions(context, ground, text))
      await keep(await inFields(context, ground, text))
    }
    for (const text of texts.slice(10)) if (context.hasTime()) await screen(text)
    return `${counts.texts} texts as answers to ${questions.length} questions, read in 11 ways; ${counts.shapes} shapes of XML; imports, plans, questions and fields. ${counts.slow} were looked at closely, ${counts.lost} times the server had to be started anew`
  },
}
