// Shapes of XML that cost more than their size.
import type { Context } from '../part.js'
import { curlOf, type Request } from '../request.js'
import { anonymousPost, type Ground, newForm, placeOfRead, readsOf } from './ground.js'
import { watchGrowth } from './watch.js'

/** Each in a form of its own. */
export const shapes: readonly {
  name: string
  sizes: readonly number[]
  inner: (size: number) => string
  recipe: (size: number) => string
}[] = [
  {
    name: 'different names',
    sizes: [500, 2000, 8000, 30_000, 100_000],
    inner: (size) => Array.from({ length: size }, (_, n) => `<n${n}>1</n${n}>`).join(''),
    recipe: (size) => `Array.from({length:${size}},(_, n)=>'<n'+n+'>1</n'+n+'>').join('')`,
  },
  {
    name: 'prefixes and children that declare one each',
    sizes: [500, 1000, 2000, 4000, 8000, 16_000],
    inner: (size) =>
      `<w ${Array.from({ length: Math.ceil(size / 6) }, (_, n) => `xmlns:p${n}="u${n}"`).join(' ')}>${'<c xmlns:q="v"/>'.repeat(size)}</w>`,
    recipe: (size) =>
      `'<w '+Array.from({length:${Math.ceil(size / 6)}},(_, n)=>'xmlns:p'+n+'="u'+n+'"').join(' ')+'>'+'<c xmlns:q="v"/>'.repeat(${size})+'</w>'`,
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
export const inShapes = async (context: Context, ground: Ground, number: number): Promise<boolean> => {
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
    const answer = await context.send({
      ...read,
      timeoutMs: 30_000,
      before: [curlOf(request(shape.sizes.at(-1) ?? 0))],
    })
    await context.sweepStalls(read)
    if (answer.status === 0) return false
    if (answer.status >= 500)
      context.find(
        'one submission makes a form unreadable',
        `${shape.name}: ${placeOfRead(read)}`,
        `${answer.status}`,
        { ...read, before: [curlOf(request(shape.sizes.at(-1) ?? 0))] },
      )
  }
  return true
}
