// Features are put together from prepared texts. Whatever is asked for, they are what writing out an object gives.
import { describe, expect, it } from 'vitest'
import type { FormShape, Slot } from '../columns/index.js'
import { type DataRecord, type FeatureOptions, featureMaker } from './index.js'

const slot = (key: string, type: string, repeats: string[] = []) =>
  ({ key, name: key, type, kind: 'geo', repeats }) as unknown as Slot

const shapeWith = (slots: Slot[]) =>
  ({ questions: slots, slotsOf: (key: string) => slots.filter((one) => one.key === key) }) as unknown as FormShape

const plain = shapeWith([slot('a', 'geopoint'), slot('g/b', 'start-geopoint'), slot('way', 'geotrace')])
const nested = shapeWith([
  slot('r/p', 'geopoint', ['r']),
  slot('a', 'geopoint'),
  slot('r/s/q', 'geopoint', ['r', 'r/s']),
])

const numberAt = (text: string | undefined, most: number): number | undefined => {
  const isNumber = text !== undefined && /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(text)
  return isNumber && Math.abs(Number(text)) <= most ? Number(text) : undefined
}

const pointIn = (text: string): number[] | undefined => {
  const [first, second] = text.trim().split(/\s+/)
  const [latitude, longitude] = [numberAt(first, 90), numberAt(second, 180)]
  return latitude === undefined || longitude === undefined ? undefined : [longitude, latitude]
}

const textsAt = (value: unknown, { key, repeats }: { key: string; repeats: readonly string[] }): string[] => {
  const [repeat, ...inner] = repeats
  if (repeat !== undefined) {
    const entries = (value as DataRecord)[repeat]
    return Array.isArray(entries) ? entries.flatMap((entry) => textsAt(entry, { key, repeats: inner })) : []
  }
  const answer = (value as DataRecord)[key]
  return [answer].flat().filter((one): one is string => typeof one === 'string')
}

const pointsAs = (points: number[][]) =>
  points.length === 0
    ? null
    : { type: 'GeometryCollection', geometries: points.map((coordinates) => ({ type: 'Point', coordinates })) }

const geometryIn = (record: DataRecord, shape: FormShape, { geoField, isSimpleStyle }: FeatureOptions) => {
  if (geoField === undefined) {
    const texts = shape.questions.filter(({ type }) => type !== 'geotrace').flatMap((one) => textsAt(record, one))
    return pointsAs(texts.map(pointIn).filter((point) => point !== undefined))
  }
  const slots = shape.slotsOf(geoField)
  const type = slots[0]?.type
  const [text] = (slots.length === 0 ? [{ key: geoField, repeats: [] }] : slots).flatMap((one) => textsAt(record, one))
  const parts = (text ?? '').split(';').filter((part) => part.trim() !== '')
  const points = parts.map(pointIn)
  if (points.length === 0 || points.some((point) => point === undefined)) return null
  const all = points as number[][]
  if (type === 'geotrace') return all.length === 1 ? null : { type: 'LineString', coordinates: all }
  if (all.length === 1) return isSimpleStyle ? { type: 'Point', coordinates: all[0] } : pointsAs(all)
  if (type === 'geopoint') return null
  const isRing = all.length >= 4 && String(all[0]) === String(all.at(-1))
  return isRing ? { type: 'Polygon', coordinates: [all] } : { type: 'LineString', coordinates: all }
}

const written = (record: DataRecord, shape: FormShape, options: FeatureOptions): string => {
  const answer = (name: string) => (Object.hasOwn(record, name) ? record[name] : undefined) ?? null
  const properties = Object.fromEntries([
    ['id', record._id],
    ['xform', record._xform_id],
    ...options.fields.map((name) => [name, answer(name)]),
    ...(options.title === undefined ? [] : [['title', answer(options.title)]]),
  ])
  return JSON.stringify({ type: 'Feature', geometry: geometryIn(record, shape, options), properties })
}

/** The same numbers in every run. */
const chance = (seed: number) => {
  let state = seed
  return <T>(of: readonly T[]): T => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return of[(state >> 8) % of.length] as T
  }
}

const places = [
  '1 2 0 0',
  ' -1.50  36.7900 10 5 ',
  '0.0000001 1e-7',
  '-0 -0.0',
  '+5. .5',
  '1e1 1E2',
  '91 2',
  '1 181',
  'x y',
  '1',
  '',
  '1 2;3 4',
  '1 2;3 4;',
  ';',
  '0 0;0 1;1 1;0 0',
  '1\t2\n3',
  '1 2;x',
]
const values = [...places, 'text "quoted" \u2028 \ud800', null, 7, ['a', 'b'], [{ 'r/p': '1 2' }], { deep: true }]
const names = [
  'a',
  'g/b',
  'way',
  'r',
  'r/p',
  'none',
  'constructor',
  '__proto__',
  'id',
  'xform',
  'title',
  '7',
  'é"x',
  '_id',
]

describe('a feature', () => {
  it('is byte for byte what writing out an object gives, of 4,000 records and requests, at once and in turns', async () => {
    const pick = chance(7)
    for (let round = 0; round < 4000; round++) {
      const record = {
        _id: pick([1, 4503, undefined]),
        _xform_id: pick([2, 2, undefined]),
        ...Object.fromEntries(
          ['a', 'g/b', 'way', '7'].filter(() => pick([true, true, false])).map((name) => [name, pick(values)]),
        ),
        ...(pick([true, false]) && {
          r: [{ 'r/p': pick(places) }, { 'r/p': pick(places), 'r/s': [{ 'r/s/q': pick(places) }, {}] }],
        }),
      } as DataRecord
      const options = {
        geoField: pick([undefined, 'a', 'way', 'r/p', 'none']),
        fields: [pick(names), pick(names), pick(names)].slice(pick([0, 1, 2, 3])),
        isSimpleStyle: pick([true, false]),
        title: pick([undefined, ...names]),
      }
      const shape = pick([plain, nested])
      const maker = featureMaker(shape, options)
      const expected = written(record, shape, options)
      expect([maker.atOnce(record), await maker.inTurns(record), record, options]).toEqual([
        expected,
        expected,
        record,
        options,
      ])
    }
  })
})
