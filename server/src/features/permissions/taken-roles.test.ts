// Roles on forms and of teams, where there are several of each: what is taken and listed is what was meant, and nothing beside it.
import { beforeAll, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish } from '../../../test/support/forms.js'
import { newOrganization, newProject } from '../../../test/support/projects.js'
import { sql } from '../../platform/db/index.js'
import { listTeamRoles, removeFormRolesOf, setFormRoles, setTeamRole } from './index.js'

const app = testApp()
let ana: Account
let eve: Account

beforeAll(async () => {
  ana = await app.account()
  eve = await app.account()
})

it('somebody whose role on a form is taken away keeps those on other forms, and others keep theirs', async () => {
  const { db } = app.deps
  const project = await newProject(app, ana)
  const forms = [await publish(app, ana, undefined, { project }), await publish(app, ana, undefined, { project })]
  const [one = 0, two = 0] = forms.map(({ formid }) => formid)
  for (const form of [one, two]) await setFormRoles(db, form, [ana.id, eve.id], 'editor', new Date())
  await removeFormRolesOf(db, one, [eve.id])
  const left = await db.rows(sql`
    select form_id as form, user_id as person from form_roles where form_id in (${one}, ${two}) order by form_id, user_id`)
  expect(left).toEqual([
    { form: one, person: ana.id },
    { form: two, person: ana.id },
    { form: two, person: eve.id },
  ])
})

it('roles of teams are those of the teams, or of the projects, that were asked for', async () => {
  const { db } = app.deps
  const org = await newOrganization(app, ana)
  const projects = [await newProject(app, ana), await newProject(app, ana)] as const
  const newTeam = async (name: string): Promise<number> =>
    (await app.as(ana)('POST', '/teams', { body: { name, organization: org } })).json().teamid
  const teams = [await newTeam('nurses'), await newTeam('doctors')] as const
  for (const team of teams) for (const project of projects) await setTeamRole(db, team, project, 'readonly')
  const listed = async (side: Parameters<typeof listTeamRoles>[1]) =>
    (await listTeamRoles(db, side)).map(({ teamId, projectId }) => [teamId, projectId]).sort()
  expect(await listed({ teamIds: [teams[0]] })).toEqual(projects.map((project) => [teams[0], project]))
  expect(await listed({ projectIds: [projects[1]] })).toEqual(teams.map((team) => [team, projects[1]]))
})
