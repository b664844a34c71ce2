import { describe, expect, it } from 'vitest'
import { aboutBytes, type ExportChoice, optionsOf } from './options'

const choice: ExportChoice = {
  what: 'all',
  format: 'xlsx',
  columns: 'all',
  words: 'names',
  language: 'English',
  splits: true,
  groups: 'slash',
  reviews: false,
  isRaw: false,
  geoField: '',
}
const given = { filter: { query: '{"a":1}', search: 'x' }, chosen: [3, 4], columns: ['_id', 'a'] }
const options = (changes: Partial<ExportChoice>) => optionsOf({ ...choice, ...changes }, given)

describe('what an export asks of the API', () => {
  it.each<[Partial<ExportChoice>, object]>([
    [{}, {}],
    [{ what: 'matching' }, { query: '{"a":1}', search: 'x' }],
    [{ what: 'chosen' }, { query: '{"_id":{"$in":[3,4]}}' }],
    [{ columns: 'shown' }, { fields: '["_id","a"]' }],
    [{ words: 'labels' }, { include_labels_only: 'true', show_choice_labels: 'true', language: 'English' }],
    [
      { words: 'both', language: '' },
      { include_labels: 'true', show_choice_labels: 'true' },
    ],
    [
      { splits: false, groups: 'none', reviews: true },
      { split_select_multiples: 'false', remove_group_name: 'true', include_reviews: 'true' },
    ],
    [{ format: 'csv' }, { win_excel_utf8: 'true' }],
    [
      { format: 'csvzip', isRaw: true, groups: 'dot' },
      { group_delimiter: '.', raw: 'true', na: '' },
    ],
    [
      { format: 'geojson', geoField: 'spot', words: 'labels' },
      { simple_style: 'true', geo_field: 'spot' },
    ],
    [{ format: 'kml', geoField: 'way' }, { geo_field: 'way' }],
    [{ format: 'kml' }, {}],
    [{ format: 'zip', columns: 'shown' }, {}],
  ])('%j', (changes, asked) => expect(options(changes)).toEqual(asked))

  it('how large it will be is told from a few records, and not where nobody can know', () => {
    expect(aboutBytes('csv', 1000, 2000, 10)).toBe(140_000)
    expect(aboutBytes('zip', 1000, 2000, 10)).toBeUndefined()
    expect(aboutBytes('csv', 1000, 0, 0)).toBeUndefined()
  })
})
