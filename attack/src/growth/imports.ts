// Files that are imported, and plans: jobs and expressions over what others have sent.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../part.js'
import { jsonOf, jsonRequest, type Request } from '../request.js'
import { formText, xmlOf } from '../world/form.js'
import { multipart, multipartType } from '../world/multipart.js'
import { farCell } from '../world/workbook.js'
import { anonymousPost, emptyForm, type Ground } from './ground.js'
import { type Probe, watchGrowth } from './watch.js'

const mostSecondsForJob = 25

/** Until the import is through; a job that has no end is a finding. */
const throughImport = async (
  context: Context,
  { owner, form }: Ground,
  job: string | undefined,
  request: Request,
): Promise<boolean> => {
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

export const inImports = async (context: Context, ground: Ground): Promise<boolean> => {
  const { owner, form } = ground
  const upload = (name: string, filename: string, bytes: Buffer | string): Request => ({
    method: 'POST',
    path: `/api/v1/forms/${form.id}/import`,
    caller: owner,
    headers: { 'content-type': multipartType },
    body: multipart([{ name, filename, bytes }]),
  })
  const cases: readonly { name: string; sizes: readonly number[]; request: (size: number) => Request }[] = [
    {
      name: 'blank lines',
      sizes: [5000, 20_000, 60_000],
      request: (size) => upload('csv_file', 'x.csv', `name\n${'\n'.repeat(size)}x\n`),
    },
    {
      name: 'lines of commas',
      sizes: [1000, 4000, 16_000],
      request: (size) => upload('csv_file', 'x.csv', `name,age\n${',\n'.repeat(size)}x,1\n`),
    },
    {
      name: 'columns',
      sizes: [200, 1000, 5000],
      request: (size) =>
        upload('csv_file', 'x.csv', `name,${Array.from({ length: size }, (_, n) => `c${n}`).join(',')}\nx\n`),
    },
    {
      name: 'an open quote',
      sizes: [1000, 20_000, 200_000],
      request: (size) => upload('csv_file', 'x.csv', `name\n"${'x\n'.repeat(size)}`),
    },
    {
      name: 'a cell far down',
      sizes: [1000, 30_000, 200_000, 1_048_576],
      request: (size) => upload('xls_file', 'x.xlsx', farCell(size)),
    },
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
    await context.sweepStalls()
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

export const inPlans = async (context: Context, ground: Ground): Promise<boolean> => {
  for (const constraint of constraints) {
    if (!context.hasTime(0.85)) return true
    context.say(`plan: ${constraint.slice(0, 40)}`)
    const probe: Probe = {
      name: `a plan with ${constraint.slice(0, 40)}`,
      sizes: [20, 2000, 20_000, 100_000, 400_000],
      prepare: async (size) => {
        await emptyForm(context, ground)
        const xml = xmlOf(ground.form.idString, {
          uuid: context.chance.uuid(),
          answers: { name: 'x '.repeat(size / 4) + 'x'.repeat(size / 2) },
        })
        await context.send(anonymousPost(ground.form, xml))
      },
      request: () =>
        jsonRequest('POST', `/api/v1/forms/${ground.form.id}/plan`, ground.owner, {
          text_xls_form: formText(ground.form.idString, 'usual', { constraint }).replace(/,1$/, ',2'),
        }),
    }
    const { isStuck } = await watchGrowth(context, probe)
    await context.sweepStalls()
    if (isStuck) return false
  }
  return true
}
