// Answers of many questions within very many entries: a record is gone through once.
import { describe, expect, it } from 'vitest'
import type { Field, FormFields } from '../form/index.js'
import { type Answers, mediaOf, placeOfRecord, valuesAt, valuesOf, whereaboutsOf } from './index.js'

const field = (key: string, repeats: string[], type = 'geopoint'): Field =>
  ({ key, name: key, type, kind: type === 'image' ? 'media' : 'geo', repeats }) as unknown as Field

const formOf = (...fields: Field[]): FormFields => ({ fields }) as unknown as FormFields

/** An object that counts how often something of it is asked for. */
const watched = (answers: Answers) => {
  let looks = 0
  const get = (target: Answers, key: string | symbol) => {
    looks += 1
    return Reflect.get(target, key)
  }
  return { answers: new Proxy(answers, { get }), looks: () => looks }
}

describe('valuesAt', () => {
  it('gives for each question what valuesOf gives, whatever stands where', () => {
    const many = Array.from({ length: 20 }, (_, at) => field(`r/q${at}`, ['r']))
    const fields = [field('a', []), field('r/b', ['r']), field('r/s/c', ['r', 'r/s']), field('t/d', ['t']), ...many]
    const record: Answers = {
      a: ['1', '2'],
      'r/b': 'outside',
      r: [
        { 'r/b': '3', 'r/q3': 'x', 'r/s': [{ 'r/s/c': '4' }, { 'r/s/c': '5' }] },
        { 'r/s': 'no entries', 'r/q3': 'y' },
        { 'r/b': '6', 'r/s': [{ 'r/s/c': '7' }] },
      ],
      t: 'no entries',
    }
    for (const some of [fields, fields.slice(0, 4)]) {
      const found = valuesAt(record, whereaboutsOf(some))
      for (const one of some) expect(found.get(one) ?? [], one.key).toEqual(valuesOf(record, one))
    }
  })

  it('looks at an entry as often as it has answers, not once for each question or repeat of the form', () => {
    const { answers: entry, looks } = watched({ 'r/t': 'x' })
    const fields = Array.from({ length: 1000 }, (_, at) => [
      field(`r/q${at}`, ['r']),
      field(`r/s${at}/q`, ['r', `r/s${at}`]),
    ])
    valuesAt({ r: Array.from({ length: 100 }, () => entry) }, whereaboutsOf(fields.flat()))
    expect(looks()).toBeLessThan(1000)
  })
})

describe('place and files of a record', () => {
  it('are found in one pass over the entries of its repeats', () => {
    const { answers: entry, looks } = watched({ 'r/t': 'x' })
    const places = Array.from({ length: 1000 }, (_, at) => field(`r/g${at}`, ['r']))
    const files = Array.from({ length: 1000 }, (_, at) => field(`r/i${at}`, ['r'], 'image'))
    const form = formOf(...places, ...files)
    const record = {
      r: [...Array.from({ length: 100 }, () => entry), { 'r/g999': '1 2', 'r/g7': '3 4', 'r/i5': 'a.jpg' }],
    }
    expect(placeOfRecord(record, form)).toEqual({ latitude: 3, longitude: 4 })
    expect([...mediaOf(record, form)]).toEqual([['a.jpg', 'r/i5']])
    expect(looks()).toBeLessThan(1000)
  })

  it('the first question of the form that has an answer gives the place, within a repeat or not', () => {
    const form = formOf(field('r/g', ['r']), field('g', []))
    expect(placeOfRecord({ g: '1 2', r: [{}, { 'r/g': '3 4' }] }, form)).toEqual({ latitude: 3, longitude: 4 })
    expect(placeOfRecord({ g: '1 2', r: [{}] }, form)).toEqual({ latitude: 1, longitude: 2 })
  })
})
