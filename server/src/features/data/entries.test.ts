import { describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { giveRole, survey } from '../../../test/support/data.js'
import { newProject } from '../../../test/support/projects.js'
import { putForm } from '../../../test/support/records.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()

describe('GET /data, /data/public and /data.csv', () => {
  it('200 with the forms whose data the caller may see; anonymous callers see public ones', async () => {
    const owner = await app.account()
    const projectId = await newProject(app, owner)
    const fields = { ownerId: owner.id, projectId, versions: [survey] }
    const closed = await putForm(app.deps.db, { ...fields, title: 'Closed, "one"' })
    const open = await putForm(app.deps.db, { ...fields, isDataPublic: true })
    const shown = await putForm(app.deps.db, { ...fields, isPublic: true })
    await app.deps.db.run(sql`
      insert into form_tags (form_id, tag, created_at) values (${closed.id}, 'a', now()), (${closed.id}, 'b', now())`)
    const idsAs = async (account: Account | null, path: string) => {
      const response = account === null ? await app.call('GET', path) : await app.as(account)('GET', path)
      return response.json().map(({ id }: { id: number }) => id)
    }
    expect(await idsAs(owner, '/data')).toEqual([closed.id, open.id, shown.id])
    expect((await app.as(owner)('GET', '/data')).json()[0]).toEqual({
      id: closed.id,
      id_string: closed.idString,
      title: 'Closed, "one"',
      description: '',
      url: `http://localhost:80/api/v1/data/${closed.id}`,
    })
    expect(await idsAs(owner, '/data?tags=a,b')).toEqual([closed.id])
    expect(await idsAs(owner, '/data?not_tagged=a')).toEqual([open.id, shown.id])
    expect(await idsAs(null, '/data')).toContain(open.id)
    expect(await idsAs(null, '/data')).not.toContain(shown.id)
    const stranger = await app.account()
    expect(await idsAs(stranger, '/data')).toEqual([])
    expect(await idsAs(stranger, `/data?owner=${owner.username.toUpperCase()}`)).toEqual([open.id])
    expect(await idsAs(stranger, '/data?owner=nobody')).toEqual([])
    const everybodys = await idsAs(null, '/data/public')
    expect(everybodys).toEqual(expect.arrayContaining([open.id, shown.id]))
    expect(everybodys).not.toContain(closed.id)
    const person = await app.account()
    await giveRole(app, closed, person, 'dataentry-only')
    await giveRole(app, shown, person, 'dataentry-minor')
    expect(await idsAs(person, '/data')).toEqual([shown.id])
    const csv = await app.as(owner)('GET', '/data.csv')
    expect([csv.headers['content-type'], csv.body.split('\n').slice(0, 2)]).toEqual([
      'text/csv; charset=utf-8',
      [
        'description,id,id_string,title,url',
        `,${closed.id},${closed.idString},"Closed, ""one""",http://localhost:80/api/v1/data/${closed.id}.csv`,
      ],
    ])
    expect((await app.as(owner)('POST', '/data')).statusCode).toBe(405)
    expect((await app.as(owner)('GET', '/data.xml')).statusCode).toBe(400)
  })
})
