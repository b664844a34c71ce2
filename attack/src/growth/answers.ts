// One text as the answer to every question: receiving it, then reading it in every way.
import { type NearMiss, nearMiss, recipeOf } from '../near-misses.js'
import type { Context } from '../part.js'
import { curlOf, type Request } from '../request.js'
import { questions, xmlOf } from '../world/form.js'
import { anonymousPost, emptyForm, type Ground, placeOfRead, readsOf } from './ground.js'
import { type Probe, watchGrowth } from './watch.js'

/** Small steps first: what doubles with each character must be met before it never ends. */
const textSizes = [6, 10, 14, 18, 22, 26, 32, 200, 2000, 8000, 32_000]

const postOf = (context: Context, { form }: Ground, text: NearMiss, units: number): Request => {
  const answers = Object.fromEntries(questions.map((name) => [name, nearMiss(text, units)]))
  const xml = xmlOf(form.idString, { uuid: context.chance.uuid(), answers })
  const element = `'<name>'+${recipeOf(text, units)}+'</name><home>'+${recipeOf(text, units)}+'</home>'`
  return anonymousPost(form, xml, `'<data id="${form.idString}">'+${element}+'</data>'`)
}

/** Receiving is none of them: it comes before all. */
const receiving = -1

/** An ordinary record takes a few hundredths of a second. */
const slowSeconds = 0.15
const screenSizes = [10, 18, 24, 8000]
const patienceMs = 12_000

interface Screened {
  readonly isStuck: boolean
  /** Ways to read that are slow at some size, by their place; only they are looked at closely. */
  readonly slow: readonly number[]
}

/** What becomes slow, at the first size at which anything does. */
export const screenAnswers = async (context: Context, ground: Ground, text: NearMiss): Promise<Screened> => {
  for (const units of screenSizes) {
    await emptyForm(context, ground)
    const post = postOf(context, ground, text, units)
    const reads = readsOf(ground, ground.owner).map((read) => ({ ...read, before: [curlOf(post)] }))
    const slow: number[] = []
    for (const [number, request] of [post, ...reads].entries()) {
      const read = context.server.meter()
      const answer = await context.send({ ...request, timeoutMs: patienceMs })
      await context.sweepStalls(request)
      if (answer.status === 0) return { isStuck: true, slow }
      if (read() > slowSeconds) slow.push(number - 1)
    }
    if (slow.length > 0) return { isStuck: false, slow }
  }
  return { isStuck: false, slow: [] }
}

/** One text in two places is enough: the rest is the same pattern. */
const mostPlaces = 2

/** Whether the server is lost. */
export const inAnswers = async (
  context: Context,
  ground: Ground,
  text: NearMiss,
  slow: readonly number[],
): Promise<boolean> => {
  const request = (units: number): Request => postOf(context, ground, text, units)
  for (const number of slow.slice(0, mostPlaces)) {
    const read = readsOf(ground, ground.owner)[number]
    const probe: Probe =
      number === receiving || read === undefined
        ? { name: 'receiving an answer', sizes: textSizes, request }
        : {
            name: `reading an answer: ${placeOfRead(read)}`,
            sizes: textSizes,
            prepare: async (units) => {
              await emptyForm(context, ground)
              await context.send(request(units))
            },
            request: (units) => ({ ...read, before: [curlOf(request(units))] }),
          }
    context.say(`${JSON.stringify(text.head + text.unit).slice(0, 30)}: ${probe.name}`)
    if ((await watchGrowth(context, probe)).isStuck) return true
  }
  return false
}
