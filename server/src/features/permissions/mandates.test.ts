import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { sql } from '../../platform/db/index.js'
import { couldStillGive, rolesThatMay, stillManages, stillManagesWithin, stillMay } from './index.js'
import { roleNames } from './roles.js'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

it('every way of asking who still manages a form gives the same people, whatever their role comes from', async () => {
  const { db } = database
  const newUser = async (name: string, fields: { isOrg?: boolean; isActive?: boolean } = {}) =>
    (
      await db.one<{ id: number }>(sql`
        insert into users (username, is_org, is_active, joined_at)
        values (${name}, ${fields.isOrg ?? false}, ${fields.isActive ?? true}, now()) returning id`)
    ).id
  const org = await newUser('org', { isOrg: true })
  const project = (
    await db.one<{ id: number }>(sql`
      insert into projects (name, name_key, owner_id, created_at, modified_at) values ('P', 'p', ${org}, now(), now())
      returning id`)
  ).id
  const form = (
    await db.one<{ id: number }>(sql`
      insert into forms (project_id, owner_id, uuid, id_string, id_key, sms_id_string, title, created_at, modified_at,
        published_at)
      values (${project}, ${org}, 'u', 'f', 'f', 'f', 'F', now(), now(), now()) returning id`)
  ).id
  const share = (user: number, role: string) =>
    db.run(sql`
      insert into project_roles (project_id, user_id, role, created_at) values (${project}, ${user}, ${role}, now())`)
  const shareForm = (user: number, role: string) =>
    db.run(sql`insert into form_roles (form_id, user_id, role, created_at) values (${form}, ${user}, ${role}, now())`)
  for (const role of roleNames) {
    await share(await newUser(`direct ${role}`), role)
    await share(await newUser(`closed ${role}`, { isActive: false }), role)
    await shareForm(await newUser(`form ${role}`), role)
    const lowered = await newUser(`manager, on the form ${role}`)
    await share(lowered, 'manager')
    await shareForm(lowered, role)
    const member = await newUser(`of the organization ${role}`)
    await db.run(sql`
      insert into organization_members (org_id, user_id, role, joined_at) values (${org}, ${member}, ${role}, now())`)
    const { id: team } = await db.one<{ id: number }>(sql`
      insert into teams (org_id, name, created_at) values (${org}, ${role}, now()) returning id`)
    await db.run(sql`
      insert into team_members (team_id, user_id, joined_at) values (${team}, ${await newUser(`team ${role}`)}, now())`)
    await db.run(sql`
      insert into team_project_roles (team_id, project_id, role) values (${team}, ${project}, ${role})`)
  }
  // What somebody is elsewhere makes them nothing here; what an organization gives is not taken by a share of the form.
  const elsewhere = await newUser('elsewhere')
  const { id: otherProject } = await db.one<{ id: number }>(sql`
    insert into projects (name, name_key, owner_id, created_at, modified_at)
    values ('Q', 'q', ${elsewhere}, now(), now()) returning id`)
  const { id: otherForm } = await db.one<{ id: number }>(sql`
    insert into forms (project_id, owner_id, uuid, id_string, id_key, sms_id_string, title, created_at, modified_at,
      published_at)
    values (${otherProject}, ${elsewhere}, 'v', 'g', 'g', 'g', 'G', now(), now(), now()) returning id`)
  await db.run(sql`
    insert into form_roles (form_id, user_id, role, created_at)
    values (${otherForm}, ${await newUser('manager of another form')}, 'manager', now())`)
  const lowered = await newUser('owner of the organization, on the form readonly')
  await db.run(sql`
    insert into organization_members (org_id, user_id, role, joined_at) values (${org}, ${lowered}, 'owner', now())`)
  await shareForm(lowered, 'readonly')
  const people = async (condition: ReturnType<typeof stillManages>) =>
    (
      await db.rows<{ username: string }>(sql`
        select people.username from users people, forms where forms.id = ${form} and ${condition} order by username`)
    ).map(({ username }) => username)
  const [formId, projectId, userId] = [sql`forms.id`, sql`forms.project_id`, sql`people.id`]
  const managing = await people(stillManages({ formId, projectId, userId }))
  expect(managing).toEqual(await people(stillMay({ formId, userId }, 'manage')))
  expect(managing).toEqual(
    await people(sql`people.is_active and people.id in (
      select user_id from form_grants where form_id = ${form} and role = any(${rolesThatMay('manage')}::text[]))`),
  )
  expect(managing).toEqual([
    'direct manager',
    'direct owner',
    'form manager',
    'form owner',
    'manager, on the form manager',
    'manager, on the form owner',
    'of the organization owner',
    'org',
    'owner of the organization, on the form readonly',
    'team manager',
    'team owner',
  ])
  const within = await people(stillManagesWithin({ formId, projectId, userId }))
  const giving = await people(couldStillGive({ projectId, userId, role: sql`'manager'` }))
  expect(within).toEqual(managing.filter((name) => giving.includes(name)))
  expect(within).not.toEqual(managing)
  expect(within).not.toEqual(giving)
})
