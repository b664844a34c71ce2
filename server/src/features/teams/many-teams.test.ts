// Organizations with very many teams and projects: every team shows every project.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { countStatements } from '../../../test/support/statements.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account

const [teamCount, projectCount] = [150, 250]

beforeAll(async () => {
  ana = await app.account()
  await app.as(ana)('POST', '/orgs', { body: { org: 'big', name: 'Big' } })
  await app.as(ana)('POST', '/teams', { body: { name: 'first', organization: 'big' } })
  await app.as(ana)('POST', '/projects', { body: { name: 'P', owner: 'http://x/api/v1/users/big' } })
  await app.deps.db.run(sql`
    insert into teams (org_id, name, kind, created_by, created_at)
    select org_id, 'team' || place, kind, created_by, created_at
    from teams, generate_series(1, ${teamCount}::int) place where name = 'first'`)
  await app.deps.db.run(sql`
    insert into projects (owner_id, created_by, name, name_key, is_public, created_at, modified_at)
    select owner_id, created_by, 'n' || place, 'n' || place, is_public, created_at, modified_at
    from projects, generate_series(1, ${projectCount}::int) place`)
  await app.deps.db.run(sql`
    insert into team_project_roles (team_id, project_id, role)
    select teams.id, projects.id, 'editor' from teams, projects
    where teams.name in ('team1', 'team7') and projects.name in ('n1', 'n2', 'n249')`)
})

const get = (path: string) => app.as(ana)('GET', path)

describe('an organization with many teams and projects', () => {
  it('200 for GET /teams with each team as GET /teams/{pk} shows it, in few statements', async () => {
    const before = countStatements(app)
    const teams = (await get('/teams')).json()
    expect(countStatements(app) - before).toBeLessThan(10)
    // Beside them the two that every organization has, and the first one.
    expect(teams).toHaveLength(teamCount + 3)
    const named = teams.find(({ name }: { name: string }) => name === 'team7')
    expect(named.projects).toHaveLength(projectCount + 1)
    const roles = named.projects.filter(({ default_role: role }: { default_role: string }) => role !== '')
    expect(roles.map(({ name }: { name: string }) => name)).toEqual(['n1', 'n2', 'n249'])
    expect((await get(`/teams/${named.teamid}`)).json()).toEqual(named)
  })

  it('200 for GET /projects with each project as a short page shows it', async () => {
    const answer = await get('/projects')
    const projects = answer.json()
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(projects).toHaveLength(projectCount + 1)
    const page = (await get('/projects?page_size=20&page=3')).json()
    expect(projects.slice(40, 60)).toEqual(page)
    const shared = projects.find(({ name }: { name: string }) => name === 'n249')
    expect(shared.teams).toHaveLength(teamCount + 3)
    const editors = shared.teams.filter(({ role }: { role: string | null }) => role === 'editor')
    expect(editors.map(({ name }: { name: string }) => name)).toEqual(['big#team1', 'big#team7'])
  })

  it('GET /projects of more than are shown together is a stream, of as many with a length', async () => {
    expect((await get('/projects?page_size=100')).headers['content-length']).toBeDefined()
    expect((await get('/projects?page_size=101')).headers['content-length']).toBeUndefined()
    const stranger = await app.account()
    expect((await app.as(stranger)('GET', '/projects')).json()).toEqual([])
  })
})
