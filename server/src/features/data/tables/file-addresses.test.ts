// Addresses of files in tables, of records that have a few, and of those that have thousands.
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { put, unzipped, useForm } from '../../../../test/support/data.js'

const app = testApp()

const survey = `
| survey |
|        | type         | name  | label |
|        | image        | photo | Photo |
|        | image        | other | Other |
|        | begin repeat | rooms | Rooms |
|        | image        | room  | Room  |
|        | begin repeat | walls | Walls |
|        | image        | wall  | Wall  |
|        | end repeat   |       |       |
|        | end repeat   |       |       |
`

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
const fileOf = (record: string, at: number) => ({
  name: `${record}${at}.jpg`,
  download_url: `/api/v1/files/${record}/${at}`,
  small_download_url: `/api/v1/files/${record}/${at}?suffix=small`,
})
const addressOf = (record: string, at: number) => `http://localhost:80/api/v1/files/${record}/${at}`

const record = (name: string, files: number, entries: number) => ({
  attachments: range(files).map((at) => fileOf(name, at)),
  answers: {
    photo: `${name}0.jpg`,
    other: 'missing.jpg',
    rooms: range(entries).map((at) => ({
      'rooms/room': `${name}${at % files}.jpg`,
      'rooms/walls': at === 0 ? [{ 'rooms/walls/wall': `${name}${files - 1}.jpg` }, {}] : [],
    })),
  },
})

const place = useForm(app, { versions: [survey] })

beforeAll(async () => {
  // Another record’s files never stand in for one’s own.
  const foreign = { ...record('few', 2, 1), attachments: [], answers: { photo: 'many1.jpg', other: 'few1.jpg' } }
  await put(app, place.form, record('few', 2, 3), record('many', 3000, 4000), foreign, record('more', 1000, 1))
})

const get = async (format: string, query = {}) => {
  const answer = await app.as(place.ana)('GET', `/data/${place.form.id}.${format}`, { query })
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}

type Row = Record<string, string>

const expected = [
  [addressOf('few', 0), 'missing.jpg'],
  [addressOf('many', 0), 'missing.jpg'],
  ['many1.jpg', 'few1.jpg'],
  [addressOf('more', 0), 'missing.jpg'],
]

describe('addresses of files', () => {
  it('200 for the CSV with the address of every file that has arrived, however many the record has', async () => {
    const rows: Row[] = parse(await get('csv'), { columns: true })
    expect(rows.map(({ photo, other }) => [photo, other])).toEqual(expected)
    expect(rows[1]?.['rooms[1200]/room']).toBe(addressOf('many', 1199))
    expect(rows[1]?.['rooms[1]/walls[1]/wall']).toBe(addressOf('many', 2999))
  })

  it('200 for the zipped CSV, in the tables of repeats too, every row in its place', async () => {
    const files = await unzipped(await get('csvzip'))
    const rowsOf = (name: string): Row[] => parse(files.get(`${name}.csv`) as Buffer, { columns: true })
    expect(rowsOf('data').map(({ photo, other }) => [photo, other])).toEqual(expected)
    expect(rowsOf('rooms').map((row) => row['rooms/room'])).toEqual([
      ...[0, 1, 0].map((at) => addressOf('few', at)),
      ...range(4000).map((at) => addressOf('many', at % 3000)),
      addressOf('more', 0),
    ])
    expect(rowsOf('rooms_walls').map((row) => row['rooms/walls/wall'])).toEqual([
      addressOf('few', 1),
      'n/a',
      addressOf('many', 2999),
      'n/a',
      addressOf('more', 999),
      'n/a',
    ])
  })

  it('include_images=false shows names', async () => {
    const rows: Row[] = parse(await get('csv', { include_images: 'false' }), { columns: true })
    expect(rows.map(({ photo }) => photo)).toEqual(['few0.jpg', 'many0.jpg', 'many1.jpg', 'more0.jpg'])
  })
})
