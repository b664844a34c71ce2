import { describe, expect, it } from 'vitest'
import type { Entry } from '@/api/form-settings'
import { rowFaultsIn } from './import-faults'
import { linkIn, linkValue, mediaOf } from './media-entries'
import { pausedOf } from './paused'
import { faultOfShare } from './share-faults'

describe('what an import was refused for', () => {
  it('is told by row, whatever the messages hold', () => {
    const text =
      "Invalid CSV data imported in row(s): {1: ['Bad, really: 1}'], 12: ['It\\'s', 'x']} Further rows were not looked at."
    expect(rowFaultsIn(text)).toEqual({
      rows: [
        { row: 1, messages: ['Bad, really: 1}'] },
        { row: 12, messages: ["It's", 'x'] },
      ],
      rest: 'Further rows were not looked at.',
    })
  })

  it('is about the whole file else, and a text that is cut off does no harm', () => {
    expect(rowFaultsIn('csv_file field empty')).toBeUndefined()
    expect(rowFaultsIn("Invalid CSV data imported in row(s): {1: ['a\\")?.rows).toEqual([{ row: 1, messages: ['a'] }])
  })
})

describe('media of a form', () => {
  const entry = (value: string, file: string | null = null) =>
    ({ data_type: 'media', data_value: value, data_file: file }) as Entry

  it('are files, addresses and links to records', () => {
    const { files, addresses, links } = mediaOf([
      entry('people.csv', 'people.csv'),
      entry('https://x.org/a.csv'),
      entry('xform 12 people of ours'),
      entry('javascript:alert(1)'),
      { ...entry('x'), data_type: 'source' },
    ])
    expect([files.length, addresses.length]).toEqual([1, 1])
    expect(links.map(({ link }) => link)).toEqual([{ source: 'xform', id: 12, name: 'people of ours' }])
  })

  it('a link is written as it is read', () => {
    expect(linkIn(linkValue('xform', 3, ' people.csv '))).toEqual({ source: 'xform', id: 3, name: 'people' })
    expect(linkIn('xform twelve people')).toBeUndefined()
  })
})

describe('why a service rests', () => {
  it.each([
    ['Switched off by ana.', { kind: 'person', who: 'ana' }],
    [
      'Paused: every call has failed since 2026-01-10T14:00:00.000Z. The last one: It answered 503.',
      { kind: 'failing', since: '2026-01-10T14:00:00.000Z', error: 'It answered 503.' },
    ],
    ['Something else.', { kind: 'other', text: 'Something else.' }],
  ])('%s', (reason, paused) => expect(pausedOf(reason)).toEqual(paused))
})

describe('a share that was refused', () => {
  it('says what was wrong with whom', () => {
    expect(faultOfShare({ body: [{}, { username: ["User 'x' does not exist."] }], message: 'm' })).toBe(
      "User 'x' does not exist.",
    )
    expect(faultOfShare({ body: undefined, message: 'm' })).toBe('m')
  })
})
