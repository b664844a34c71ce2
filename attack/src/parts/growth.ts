// Texts that nearly are something, at growing sizes: in answers followed by every way of reading them, in questions, in fields.
import { inAnswers, screenAnswers } from '../growth/answers.js'
import { inFields, inQuestions } from '../growth/fields.js'
import { newGround } from '../growth/ground.js'
import { inImports, inPlans } from '../growth/imports.js'
import { inShapes, shapes } from '../growth/shapes.js'
import { type NearMiss, nearMisses } from '../near-misses.js'
import type { Part } from '../part.js'
import { questions } from '../world/form.js'

export const growth: Part = {
  name: 'growth',
  description:
    'texts that nearly are something at growing sizes, in answers, questions, fields, imports and plans: CPU beside size',
  weight: 30,
  run: async (context) => {
    const isShort = context.seconds < 30
    let number = 0
    let ground = await newGround(context, number)
    context.ready()
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
      context.say(`as answers: ${JSON.stringify(text.head + text.unit)}`)
      const { isStuck, slow } = await screenAnswers(context, ground, text)
      counts.texts += 1
      if (isStuck) return keep(false)
      if (slow.length === 0) return
      counts.slow += 1
      await keep(!(await inAnswers(context, ground, text, slow)))
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
