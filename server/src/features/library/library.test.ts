// The question library of a project: who reads it, who writes it, and what is taken.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newProject } from '../../../test/support/projects.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'
import { roleNames } from '../permissions/roles.js'

const app = testApp()
let ana: Account
let ben: Account
let eve: Account
let project: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  eve = await app.account({ username: 'eve' })
})

beforeEach(async () => {
  project = await newProject(app, ana)
})

const survey = (...rows: string[][]) => ({ name: 'survey', rows: [['type', 'name', 'label', 'relevant'], ...rows] })
const choices = (...rows: string[][]) => ({ name: 'choices', rows: [['list_name', 'name', 'label'], ...rows] })
const member = [
  survey(
    ['begin_group', 'member', 'Member', ''],
    ['text', 'full_name', 'Name', ''],
    ['select_one sex', 'sex', 'Sex', `\${consent} = 'yes'`],
    ['end_group', '', '', ''],
  ),
  choices(['sex', 'female', 'Female'], ['sex', 'male', 'Male']),
]
/** Each within its bounds, together too long. */
const manyLong = Array.from({ length: Math.ceil(budgets.library.characters / 9_000) }, (_, n) => [
  'text',
  `q${n}`,
  'A'.repeat(9_000),
  '',
])
const at = (id: number | string = '') => `/projects/${project}/library${id === '' ? '' : `/${id}`}`
const add = (body: object, by = ana) => app.as(by)('POST', at(), { body })
const share = (role: string) => app.as(ana)('PUT', `/projects/${project}/share`, { body: { username: 'ben', role } })

describe('/projects/{pk}/library', () => {
  it('201 keeps a block with its lists, 200 lists it without its rows, and shows it whole', async () => {
    const made = await add({ name: 'Member', description: 'One person', sheets: member })
    expect([made.statusCode, made.headers.location]).toEqual([201, expect.stringContaining(at(made.json().id))])
    expect(made.json()).toMatchObject({ name: 'Member', questions: 2, sheets: member, created_by: 'ana' })
    await add({ name: 'address', sheets: [survey(['text', 'street', 'Street', ''])] })
    const listed = (await app.as(ana)('GET', at())).json()
    expect(listed).toMatchObject([{ name: 'address', questions: 1, description: '' }, { name: 'Member' }])
    expect(listed.some((one: object) => 'sheets' in one)).toBe(false)
    expect((await app.as(ana)('GET', at(made.json().id))).json()).toEqual(made.json())
  })

  it('200 changes what is given and nothing else, with another revision and who changed it; 204 deletes it', async () => {
    const made = (await add({ name: 'Member', sheets: member })).json()
    await share('manager')
    const renamed = (await app.as(ben)('PATCH', at(made.id), { body: { name: 'Person' } })).json()
    expect(renamed).toMatchObject({
      name: 'Person',
      sheets: member,
      questions: 2,
      created_by: 'ana',
      changed_by: 'ben',
    })
    expect(renamed.revision).toBeGreaterThan(made.revision)
    const sheets = [survey(['integer', 'age', 'Age', ''])]
    const changed = await app.as(ana)('PATCH', at(made.id), { body: { sheets, revision: renamed.revision } })
    expect(changed.json()).toMatchObject({ name: 'Person', sheets, questions: 1 })
    expect((await app.as(ana)('DELETE', at(made.id))).statusCode).toBe(204)
    for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
      expect((await app.as(ana)(method, at(made.id), { body: {} })).statusCode).toBe(404)
    }
  })

  it('409 for whoever changes what somebody else has changed meanwhile: who, when, and nothing is changed', async () => {
    const made = (await add({ name: 'Member', sheets: member })).json()
    const change = (name: string) => app.as(ana)('PATCH', at(made.id), { body: { name, revision: made.revision } })
    const answers = await Promise.all([change('a'), change('b'), change('c'), change('d')])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409])
    const { name } = answers.find(({ statusCode }) => statusCode === 200)?.json() ?? {}
    const told = (await change('e')).json()
    expect(told).toMatchObject({ saved_by: 'ana', detail: expect.stringContaining('ana') })
    expect((await app.as(ana)('GET', at(made.id))).json()).toMatchObject({ name, revision: told.revision })
  })

  it('400 with all faults at once: a name that is taken, and every mistake with its row and column', async () => {
    await add({ name: 'Member', sheets: member })
    const wrong = await add({
      name: 'MEMBER',
      sheets: [survey(['intger', 'a', 'A', ''], ['select_one fruit', 'b', 'B', ''], ['text', '', 'C', 'not('])],
    })
    expect(wrong.statusCode).toBe(400)
    const { name, sheets } = wrong.json()
    expect(name).toEqual([expect.stringContaining('already')])
    expect(sheets.join('\n')).toContain("survey row 2, column type: Unknown question type 'intger'")
    expect(sheets.join('\n')).toContain('row 4, column name')
    expect(sheets.length).toBeGreaterThanOrEqual(3)
    expect((await app.as(ana)('GET', at())).json()).toHaveLength(1)
  })

  it.each([
    ['no sheet survey', [choices(['a', 'b', 'C'])]],
    ['a sheet twice', [survey(['text', 'a', 'A', '']), survey(['text', 'b', 'B', ''])]],
    ['another sheet', [{ name: 'settings', rows: [['form_title']] }]],
    ['no rows', [survey()]],
    ['too many rows', [survey(...Array.from({ length: budgets.library.rows }, (_, n) => ['text', `q${n}`, 'Q', '']))]],
    [
      'too many columns',
      [{ name: 'survey', rows: [Array.from({ length: budgets.library.columns + 1 }, (_, n) => `h${n}`)] }],
    ],
    ['cells that are too long', [survey(['text', 'a', 'A'.repeat(budgets.library.cell + 1), ''])]],
    ['too many characters', [survey(...manyLong)]],
    ['cells that are no text', [{ name: 'survey', rows: [['type'], [1]] }]],
    ['rows that are none', [{ name: 'survey', rows: ['type'] }]],
  ])('400 for a block with %s', async (_what, sheets) => {
    const answer = await add({ name: 'Odd', sheets })
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.anything()])
    expect((await app.as(ana)('GET', at())).json()).toEqual([])
  })

  it('413 for a body that is larger than any block', async () => {
    const answer = await add({
      name: 'Large',
      sheets: [survey(['text', 'a', 'A'.repeat(budgets.library.bodyBytes), ''])],
    })
    expect(answer.statusCode).toBe(413)
  })

  it('400 for a name that is taken in the same moment by another', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => add({ name: 'Same', sheets: member })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400, 400, 400])
  })

  it('409 when the library is full', async () => {
    await app.database.db.run(sql`
      insert into library_blocks (project_id, name, description, sheets, questions, created_at, changed_at)
      select ${project}, 'b' || n, '', '[]', 0, now(), now() from generate_series(1, ${budgets.library.blocks}) n`)
    expect((await add({ name: 'One more', sheets: member })).statusCode).toBe(409)
  })

  it('401 anonymous, 404 for a stranger exactly as for a missing project', async () => {
    const { id } = (await add({ name: 'Member', sheets: member })).json()
    const calls = [
      ['GET', '', undefined],
      ['GET', `/${id}`, undefined],
      ['POST', '', { name: 'X', sheets: member }],
      ['PATCH', `/${id}`, { name: 'Y' }],
      ['DELETE', `/${id}`, undefined],
    ] as const
    for (const [method, rest, body] of calls) {
      const given = body === undefined ? {} : { body }
      expect((await app.call(method, `/projects/${project}/library${rest}`, given)).statusCode).toBe(401)
      const hidden = await app.as(eve)(method, `/projects/${project}/library${rest}`, given)
      const missing = await app.as(eve)(method, `/projects/2147483647/library${rest}`, given)
      expect([method, rest, hidden.statusCode, hidden.body]).toEqual([method, rest, 404, missing.body])
    }
  })

  it.each(roleNames.filter((role) => role !== 'member'))(
    '200 for a %s who reads; 403 for writing, but for those who manage',
    async (role) => {
      const { id } = (await add({ name: 'Member', sheets: member })).json()
      expect((await share(role)).statusCode).toBe(204)
      const by = app.as(ben)
      const isManaging = ['manager', 'owner'].includes(role)
      expect((await by('GET', at())).statusCode).toBe(200)
      expect((await by('GET', at(id))).json().sheets).toEqual(member)
      expect((await add({ name: 'X', sheets: member }, ben)).statusCode).toBe(isManaging ? 201 : 403)
      expect((await by('PATCH', at(id), { body: { name: 'Y' } })).statusCode).toBe(isManaging ? 200 : 403)
      expect((await by('DELETE', at(id))).statusCode).toBe(isManaging ? 204 : 403)
      expect((await app.as(ana)('GET', at(id))).statusCode).toBe(isManaging ? 404 : 200)
    },
  )

  it.each(['0', '2147483648', '99999999999', '-1', '1.0', 'x', '%00', '1%20'])(
    '404 for %s, which is no block',
    async (id) => {
      for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
        expect([method, (await app.as(ana)(method, at(id), { body: {} })).statusCode]).toEqual([method, 404])
      }
    },
  )

  it('404 for a block of another project', async () => {
    const { id } = (await add({ name: 'Member', sheets: member })).json()
    const other = await newProject(app, ana)
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await app.as(ana)(method, `/projects/${other}/library/${id}`)).statusCode).toBe(404)
    }
    expect((await app.as(ana)('GET', `/projects/${other}/library`)).json()).toEqual([])
  })

  it('goes with its project: to another owner, and when it is deleted', async () => {
    await add({ name: 'Member', sheets: member })
    const org = (await app.as(ana)('POST', '/orgs', { body: { org: `org${project}`, name: 'Org' } })).json().org
    const owner = `http://localhost:80/api/v1/users/${org}`
    expect((await app.as(ana)('PATCH', `/projects/${project}`, { body: { owner } })).statusCode).toBe(200)
    expect((await app.as(ana)('GET', at())).json()).toHaveLength(1)
    expect((await app.as(ana)('DELETE', `/projects/${project}`)).statusCode).toBe(204)
    expect((await app.as(ana)('GET', at())).statusCode).toBe(404)
  })
})
