// Earlier versions of a record that was edited often, or is large: the same answer, made piece by piece.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { put, useForm } from '../../../../test/support/data.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()

const survey = `| survey |
| | type | name | label |
| | start | start | |
| | end | end | |
| | text | name | Name |
| | begin repeat | visits | Visits |
| | geopoint | gps | Place |
| | end repeat | | |`

/** What the built-in fields of a version look like before they are filled in. */
const trap = ',"_geolocation":[null,null],"_duration":""'

const versions: Record<string, unknown>[] = [
  {
    name: trap,
    visits: [{}, { 'visits/gps': '5.5 -6 0 0' }],
    start: '2024-01-01T10:00:00',
    end: '2024-01-01T10:01:30',
  },
  { name: 'ü "quoted" \u2028 \\ line\n', start: '2024-01-01T10:00:00' },
  { [trap]: trap, 'visits/gps': '1 2' },
  { name: 'other model', other: 'x' },
]

const recordWith = async (given: readonly object[]): Promise<number> => {
  const notes = [{ id: 1, note: trap, owner: 'ana' }]
  const [id = 0] = await put(app, place.form, { answers: { name: 'now' }, place: [1, 2], duration: 7, notes })
  for (const [at, answers] of given.entries()) {
    await app.deps.db.run(sql`
      insert into submission_versions (form_id, submission_id, number, uuid, xml, answers, version, model_number, made_at,
        made_by, archived_at)
      values (${place.form.id}, ${id}, ${at + 1}, ${`${id}-${at}`}, '<data/>', ${JSON.stringify(answers)}::jsonb, 'v1',
        ${'other' in answers ? 7 : 1}, '2024-01-01T00:00:00Z', ${place.ana.id}, now())`)
  }
  return id
}

const historyOf = (id: number) => app.as(place.ana)('GET', `/data/${place.form.id}/${id}/history`)

const place = useForm(app, { versions: [survey] })

describe('GET /data/{pk}/{dataid}/history', () => {
  it('200 with place and duration of the answers of then, whatever texts are in the record', async () => {
    const answer = await historyOf(await recordWith(versions))
    const history = answer.json()
    expect(history.map(({ _geolocation: at, _duration }: Record<string, unknown>) => [at, _duration])).toEqual([
      [[5.5, -6], '90.0'],
      [[null, null], ''],
      [[null, null], ''],
      [[null, null], ''],
    ])
    for (const [at, given] of versions.entries()) expect(history[at]).toMatchObject(given)
    expect(history[0]._notes).toMatchObject([{ note: trap }])
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.body)))
  })

  it('200 with the same as a stream where versions are long; nothing is held as a whole', async () => {
    const long = { long: randomBytes(150_000).toString('hex') }
    const [short, streamed] = [await recordWith(versions), await recordWith([...versions, long, ...versions])]
    const [whole, pieces] = [await historyOf(short), await historyOf(streamed)]
    expect([whole.headers['content-length'] === undefined, pieces.headers['content-length']]).toEqual([
      false,
      undefined,
    ])
    expect(pieces.headers['content-type']).toBe('application/json; charset=utf-8')
    const own = ({ _id, _uuid, _submission_time, ...rest }: Record<string, unknown>) => rest
    const [first, second] = [whole.json().map(own), pieces.json().map(own)]
    expect(second.slice(0, 4)).toEqual(first)
    expect(second[4]).toMatchObject(long)
    expect(second.slice(5)).toEqual(first)
  })

  it('200 as a stream of a record whose notes are long, since every version shows them', async () => {
    const id = await recordWith(versions)
    await app.deps.db.run(sql`
      update submissions set notes = ${JSON.stringify([{ note: randomBytes(50_000).toString('hex') }])}::jsonb
      where form_id = ${place.form.id} and id = ${id}`)
    const answer = await historyOf(id)
    expect(answer.headers['content-length']).toBeUndefined()
    expect(answer.json()).toHaveLength(4)
  })

  it('streams of history are counted among those of their reader, and given back', async () => {
    const id = await recordWith([{ long: randomBytes(150_000).toString('hex') }])
    const most = await Promise.all(Array.from({ length: 8 }, () => historyOf(id)))
    expect(most.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(app.deps.db.streamsNow()).toBe(0)
  })
})
