import { describe, expect, it } from 'vitest'
import { readForm, type TreeNode } from '../src/api/form-model'
import type { DataRecord } from '../src/api/records'
import { asView, ringOf } from '../src/pages/map/view'
import { fieldsFor, filterOf, itemsOf } from '../src/pages/media/media-items'
import { addPoints, boxText, noPoints, thinned } from '../src/parts/map/points'
import { choiceScale, mixed, numberScale } from '../src/parts/map/scale'
import { answerAt, changeOf, hasAnswer, isSection, otherAnswers, sectionsOf } from '../src/parts/record/answers'
import { differences, mostDifferences } from '../src/parts/record/differences'
import { asInput, fromInput } from '../src/parts/record/editing'
import { filterIn } from '../src/parts/record/record-filter'
import { placesOf, utc, wordsOf } from '../src/parts/record/values'

const tree: TreeNode & { title: string } = {
  title: 'Homes',
  children: [
    { type: 'start', name: 'start' },
    { type: 'text', name: 'name', label: 'Name' },
    {
      type: 'group',
      name: 'visit',
      label: 'Visit',
      children: [
        { type: 'geopoint', name: 'place', label: 'Place' },
        { type: 'note', name: 'thanks', label: 'Thanks' },
      ],
    },
    {
      type: 'repeat',
      name: 'kids',
      label: 'Children',
      children: [
        { type: 'text', name: 'kname', label: 'Name' },
        { type: 'photo', name: 'photo', label: 'Photo of the child' },
        { type: 'repeat', name: 'toys', label: 'Toys', children: [{ type: 'text', name: 'toy', label: 'Toy' }] },
      ],
    },
    {
      type: 'select one',
      name: 'roof',
      label: 'Roof',
      itemset: 'roof',
    },
  ],
  choices: { roof: [{ name: 'tin', label: { en: 'Tin', fr: 'Tôle' } }] },
}
const model = readForm(tree)

const record = {
  _id: 7,
  _uuid: 'u',
  _submission_time: '2026-07-01T18:12:17',
  _submitted_by: 'grace',
  _attachments: [
    {
      id: 3,
      name: 'a.jpg',
      mimetype: 'image/jpeg',
      download_url: '/f/3',
      small_download_url: '',
      medium_download_url: '',
    },
    {
      id: 4,
      name: 'b.jpg',
      mimetype: 'image/jpeg',
      download_url: '/f/4',
      small_download_url: '',
      medium_download_url: '',
    },
  ],
  name: 'Tom',
  'visit/place': '1.5 36.5 1200 4',
  kids: [
    { 'kids/kname': 'Bo', 'kids/photo': 'a.jpg', 'kids/toys': [{ 'kids/toys/toy': 'ball' }] },
    { 'kids/kname': 'Cleo' },
  ],
  old_question: 'x',
} as unknown as DataRecord

describe('answers of a record', () => {
  it('stand in the order of the form under their groups; what devices fill in comes last, notes are left out', () => {
    const names = sectionsOf(model).items.map((item) =>
      isSection(item) ? (item.isDevice ? 'device' : item.group?.key) : item.key,
    )
    expect(names).toEqual(['name', 'visit', 'kids', 'roof', 'device'])
    const roof = sectionsOf(model).items[3]
    expect(roof && hasAnswer(roof, record)).toBe(false)
  })

  it('to questions that the form no longer has are shown, too', () => {
    expect(otherAnswers(model, record)).toEqual([['old_question', 'x']])
  })

  it('in an entry are changed by the whole list of the outermost repeat, and nothing else is', () => {
    const path = [
      { repeat: 'kids', index: 0 },
      { repeat: 'kids/toys', index: 0 },
    ]
    expect(changeOf(record, path, 'kids/toys/toy', 'kite')).toEqual({
      kids: [
        { 'kids/kname': 'Bo', 'kids/photo': 'a.jpg', 'kids/toys': [{ 'kids/toys/toy': 'kite' }] },
        { 'kids/kname': 'Cleo' },
      ],
    })
    expect(changeOf(record, [], 'name', null)).toEqual({ name: null })
    expect(answerAt(record, path, 'kids/toys/toy')).toBe('ball')
    expect(answerAt(record, [{ repeat: 'kids', index: 9 }], 'kids/kname')).toBeUndefined()
  })

  it('are words, whatever they hold', () => {
    const roof = model.byKey.get('roof')
    expect([wordsOf(roof, 'tin', 'fr'), wordsOf(roof, 'straw', 'fr')]).toEqual(['Tôle', 'straw'])
    expect(wordsOf(model.byKey.get('start'), 'soon', '')).toBe('soon')
    expect(placesOf('1 2 3 4; 91 0; x; -1.5 36')).toMatchObject([{ latitude: 1 }, { latitude: -1.5, longitude: 36 }])
    expect([utc('2026-07-01T18:12:17'), utc('2026-07-01T18:12:17+03:00')]).toEqual([
      '2026-07-01T18:12:17Z',
      '2026-07-01T18:12:17+03:00',
    ])
  })

  it('go into the fields of a browser and come back as they were', () => {
    const moment = '2026-06-20T11:28:30.000Z'
    expect(fromInput('datetime', asInput('datetime', moment))).toBe(moment)
    expect([
      asInput('date', '2026-06-20T00:00'),
      asInput('time', '10:30:00.000+03:00'),
      asInput('datetime', 'x'),
    ]).toEqual(['2026-06-20', '10:30:00', ''])
  })
})

describe('differences between versions', () => {
  it('are told by question, and by entry for repeats; an empty answer is none', () => {
    const now = {
      ...record,
      name: 'Ida',
      roof: '',
      kids: [{ 'kids/kname': 'Bo', 'kids/photo': 'a.jpg', 'kids/toys': [{ 'kids/toys/toy': 'kite' }] }],
    }
    const told = differences(model, record, now).map(({ question, entries, former, now: after }) => [
      question?.key,
      entries.map(({ number }) => number),
      former,
      after,
    ])
    expect(told).toEqual([
      ['name', [], 'Tom', 'Ida'],
      ['kids/toys/toy', [1, 1], 'ball', 'kite'],
      [undefined, [2], { 'kids/kname': 'Cleo' }, undefined],
    ])
  })

  it('have a bound', () => {
    const kids = Array.from({ length: 5000 }, () => ({ 'kids/kname': 'x' }))
    expect(differences(model, {}, { kids })).toHaveLength(mostDifferences)
  })
})

describe('places on the map', () => {
  it('are read from answers, those of entries too; records without one are counted', () => {
    const place = model.byKey.get('visit/place')
    const points = noPoints()
    if (place === undefined) throw new Error('no place')
    expect(addPoints(points, [record, { _id: 8 }], place, () => 'v')).toBe(1)
    expect(points).toMatchObject({ ids: [7], longitudes: [36.5], latitudes: [1.5], values: ['v'], shapes: [undefined] })
  })

  it('have colours by choices, the most frequent first, with the rest and those without an answer apart', () => {
    const many = Array.from({ length: 12 }, (_, index) => `c${index}`)
    const scale = choiceScale(['c3', 'c3', undefined, ...many], (value) => value.toUpperCase(), {
      other: 'O',
      none: 'N',
    })
    expect(scale.categories.map(({ label }) => label)).toEqual(['C3', 'C0', 'C1', 'C2', 'C4', 'C5', 'C6', 'O', 'N'])
    expect([scale.indexOf('c3'), scale.indexOf('c11'), scale.indexOf('')]).toEqual([0, 7, 8])
  })

  it('have colours by numbers in steps of about as many records', () => {
    const range = (from: number, to: number) => `${from}-${to}`
    const scale = numberScale(Array.from({ length: 10 }, (_, index) => String(index)).concat(''), { none: 'N', range })
    expect(scale.categories.map(({ label }) => label)).toEqual(['0-1', '2-3', '4-5', '6-7', '8-9', 'N'])
    expect([scale.indexOf('0'), scale.indexOf('5.5'), scale.indexOf('99'), scale.indexOf('x')]).toEqual([0, 2, 4, 5])
    expect(numberScale(['4', '4'], { none: 'N', range }).categories).toHaveLength(1)
    expect(mixed('#ffffff', '#000000', 0.5)).toBe('#808080')
  })

  it('are chosen by a box or a line that the server takes', () => {
    expect(boxText([37, 2], [36, -95])).toBe('36,-90,37,2')
    const line = Array.from({ length: 3000 }, (_, index) => [index / 100, 1] as const)
    expect(thinned(line).length).toBeLessThanOrEqual(200)
    expect(ringOf('36,-2,37,2', undefined)).toHaveLength(4)
    expect([ringOf(undefined, '[[1,2],["x",3]]'), ringOf('1,2', undefined), ringOf(undefined, '{')]).toEqual([
      [],
      [],
      [],
    ])
    expect(asView.read('1.5,36.8,9')).toEqual({ latitude: 1.5, longitude: 36.8, zoom: 9 })
    expect([asView.read('x,1,2'), asView.read('1,2'), asView.read('99,1,2')]).toEqual([undefined, undefined, undefined])
  })
})

describe('files of records', () => {
  it('are those that the filter of the address leaves, and what is chosen', () => {
    const choice = { question: '', person: 'ana', from: '', to: 'x' }
    const asked = filterOf({ query: '{"roof":"tin"}', search: 's', sort: '{"name":1}' }, choice, model)
    expect(asked).toMatchObject({ search: 's', sort: '{"_id":-1}' })
    expect(JSON.parse(asked.query ?? '')).toEqual({
      $and: [{ roof: 'tin' }, { _total_media: { $gt: 0 } }, { _submitted_by: 'ana' }],
    })
    expect(filterOf({ query: 'free text' }, { ...choice, person: '' }, model)).toMatchObject({ search: 'free text' })
    expect(fieldsFor(model)).toContain('kids')
  })

  it('know their question, and get a name that says what they are', () => {
    const items = itemsOf([record], model, '', '')
    expect(items.map(({ goodName }) => goodName)).toEqual([
      'Photo-of-the-child_2026-07-01_grace_3.jpg',
      'b_2026-07-01_grace_4.jpg',
    ])
    expect(itemsOf([record], model, '', 'kids/photo').map(({ file }) => file.id)).toEqual([3])
  })
})

describe('the filter of an address', () => {
  it('is the same on every page; nothing else of the address is sent', () => {
    expect(filterIn({ query: '{}', search: ['a', 'b'], at: '3', sort: '' })).toEqual({ query: '{}', search: 'a' })
  })
})
