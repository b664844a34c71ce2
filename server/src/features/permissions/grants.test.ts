// Roles as they are stored: each statement touches what it is told to, and nothing beside it.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { sql } from '../../platform/db/index.js'
import {
  couldStillGive,
  haveCommonGround,
  listFormsWithout,
  listProjectGrants,
  listProjectOwners,
  lockProject,
  manageOwnProjects,
  type RoleName,
  removeFormRoles,
  removeProjectRoles,
  removeRolesInOrganization,
  removeTeamRole,
  removeTeamRoles,
  setFormRoles,
  setMembersDefault,
  setProjectRoles,
  setTeamRole,
} from './index.js'

let database: TestDatabase
const db = () => database.db
const now = new Date()

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

let made = 0
const idOf = async (row: Promise<{ id: number }>) => (await row).id
const person = (fields: { isOrg?: boolean; isActive?: boolean } = {}) =>
  idOf(
    db().one(sql`
      insert into users (username, is_org, is_active, joined_at)
      values (${`p${++made}`}, ${fields.isOrg ?? false}, ${fields.isActive ?? true}, now()) returning id`),
  )
const project = (owner: number, createdBy: number | null = null) =>
  idOf(
    db().one(sql`
      insert into projects (name, name_key, owner_id, created_by, created_at, modified_at)
      values (${`P${++made}`}, ${`p${made}`}, ${owner}, ${createdBy}, now(), now()) returning id`),
  )
const form = (projectId: number, owner: number, deletedAt: Date | null = null) => {
  const name = `f${++made}`
  return idOf(
    db().one(sql`
      insert into forms (project_id, owner_id, uuid, id_string, id_key, sms_id_string, title, created_at, modified_at,
        published_at, deleted_at)
      values (${projectId}, ${owner}, ${name}, ${name}, ${name}, ${name}, 'F', now(), now(), now(), ${deletedAt})
      returning id`),
  )
}
const team = (org: number, kind = 'custom', name = `t${++made}`) =>
  idOf(
    db().one(sql`
      insert into teams (org_id, name, kind, created_at) values (${org}, ${name}, ${kind}, now()) returning id`),
  )
const share = (projectId: number, user: number, role: RoleName) =>
  db().run(sql`
    insert into project_roles (project_id, user_id, role, created_at) values (${projectId}, ${user}, ${role}, now())`)
const join = (org: number, user: number, role: RoleName) =>
  db().run(sql`
    insert into organization_members (org_id, user_id, role, joined_at) values (${org}, ${user}, ${role}, now())`)
const joinTeam = (teamId: number, user: number) =>
  db().run(sql`insert into team_members (team_id, user_id, joined_at) values (${teamId}, ${user}, now())`)

/** `project:user:role` of all that there is, without those who own by being the owner. */
const projectRoles = async () =>
  (
    await db().rows<{ row: string }>(sql`
      select project_id || ':' || user_id || ':' || role as row from project_roles order by project_id, user_id`)
  ).map(({ row }) => row)
const formRoles = async () =>
  (
    await db().rows<{ row: string }>(sql`
      select form_id || ':' || user_id || ':' || role as row from form_roles order by form_id, user_id`)
  ).map(({ row }) => row)
const teamRoles = async () =>
  (
    await db().rows<{ row: string }>(sql`
      select team_id || ':' || project_id || ':' || role as row from team_project_roles order by team_id, project_id`)
  ).map(({ row }) => row)

beforeEach(async () => {
  for (const table of [sql`project_roles`, sql`form_roles`, sql`team_project_roles`])
    await db().run(sql`delete from ${table}`)
})

describe('the reasons for a role on a project', () => {
  it('are those of this person on this project, in a fixed order', async () => {
    const [org, ana, ben] = [await person({ isOrg: true }), await person(), await person()]
    const [pk, other] = [await project(org), await project(org)]
    await join(org, ana, 'owner')
    for (const name of ['nurses', 'doctors']) {
      const one = await team(org, 'custom', name)
      await joinTeam(one, ana)
      await setTeamRole(db(), one, pk, 'editor')
    }
    await share(pk, ana, 'readonly')
    await share(pk, ben, 'manager')
    await share(other, ana, 'manager')
    const grants = await listProjectGrants(db(), pk, ana)
    expect(grants.map(({ source, through }) => (source === 'team' ? through : source))).toEqual([
      'direct',
      'organization',
      'doctors',
      'nurses',
    ])
    expect(grants[0]).toMatchObject({ role: 'readonly' })
    const own = await project(ana)
    await share(own, ana, 'readonly')
    expect((await listProjectGrants(db(), own, ana)).map(({ source }) => source)).toEqual(['direct', 'owner'])
  })

  it('a lock on a project makes others wait who would take it, and nobody else', async () => {
    const owner = await person()
    const [pk, other] = [await project(owner), await project(owner)]
    const { second } = await db().transaction(async (tx) => {
      await lockProject(tx, pk)
      await db().background.transaction((aside) => lockProject(aside, other))
      let hasIt = false
      const taken = db().background.transaction(async (aside) => {
        await lockProject(aside, pk)
        hasIt = true
      })
      await vi.waitFor(async () =>
        expect(
          await db().rows(sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
        ).toHaveLength(1),
      )
      expect(hasIt).toBe(false)
      return { second: taken }
    })
    await second
  })
})

describe('sharing a project', () => {
  /** Two forms of the project and one of another, on which everybody of `people` has a role of their own. */
  const place = async (people: readonly number[], role: RoleName) => {
    const owner = await person()
    const [pk, other] = [await project(owner), await project(owner)]
    const forms = [await form(pk, owner), await form(pk, owner), await form(other, owner)] as const
    for (const one of forms) await setFormRoles(db(), one, people, role, now)
    return { owner, pk, other, forms }
  }

  it('gives one role to each who is named, in place of the one that they had, here and on its forms', async () => {
    const [ana, ben, eve] = [await person(), await person(), await person()]
    const { owner, pk, other, forms } = await place([ana, eve], 'readonly')
    for (const [one, user] of [
      [pk, ana],
      [pk, eve],
      [other, ana],
    ] as const)
      await share(one, user, 'readonly')
    await setProjectRoles(db(), { projectId: pk, userIds: [ana, ben], by: owner }, 'editor', now)
    expect(await projectRoles()).toEqual([
      `${pk}:${ana}:editor`,
      `${pk}:${ben}:editor`,
      `${pk}:${eve}:readonly`,
      `${other}:${ana}:readonly`,
    ])
    expect(await formRoles()).toEqual([
      `${forms[0]}:${eve}:readonly`,
      `${forms[1]}:${eve}:readonly`,
      `${forms[2]}:${ana}:readonly`,
      `${forms[2]}:${eve}:readonly`,
    ])
  })

  it('leaves roles on forms that whoever shares does not manage, and those of owners where they are no owner', async () => {
    const [ana, eve, max] = [await person(), await person(), await person()]
    const { pk, forms } = await place([ana], 'readonly')
    await setFormRoles(db(), forms[1], [eve], 'owner', now)
    await share(pk, max, 'manager')
    // On the first of the forms the manager is a reader.
    await setFormRoles(db(), forms[0], [max], 'readonly', now)
    await setProjectRoles(db(), { projectId: pk, userIds: [ana, eve], by: max }, 'editor', now)
    expect(await formRoles()).toEqual([
      `${forms[0]}:${ana}:readonly`,
      `${forms[0]}:${max}:readonly`,
      `${forms[1]}:${eve}:owner`,
      `${forms[2]}:${ana}:readonly`,
    ])
    const stranger = await person()
    await setProjectRoles(db(), { projectId: pk, userIds: [eve], by: stranger }, 'editor', now)
    expect(await formRoles()).toContain(`${forms[1]}:${eve}:owner`)
  })

  it('an owner takes an owner’s role on a form away', async () => {
    const eve = await person()
    const { owner, pk, forms } = await place([eve], 'owner')
    await removeProjectRoles(db(), { projectId: pk, userIds: [eve], by: owner })
    expect(await formRoles()).toEqual([`${forms[2]}:${eve}:owner`])
  })

  it('whoever leaves takes nothing with them, though they manage none of it; what others have stays', async () => {
    const [ana, ben] = [await person(), await person()]
    const { pk, other, forms } = await place([ana, ben], 'readonly')
    for (const [one, user] of [
      [pk, ana],
      [pk, ben],
      [other, ana],
    ] as const)
      await share(one, user, 'readonly')
    await removeProjectRoles(db(), { projectId: pk, userIds: [ana], by: ana })
    expect(await projectRoles()).toEqual([`${pk}:${ben}:readonly`, `${other}:${ana}:readonly`])
    expect(await formRoles()).toEqual([
      `${forms[0]}:${ben}:readonly`,
      `${forms[1]}:${ben}:readonly`,
      `${forms[2]}:${ana}:readonly`,
      `${forms[2]}:${ben}:readonly`,
    ])
    await removeProjectRoles(db(), { projectId: pk, userIds: [ben], by: ana })
    expect(await formRoles()).toContain(`${forms[0]}:${ben}:readonly`)
  })

  /** Names of forms, the oldest first. */
  const names = async (ids: readonly number[]) =>
    (
      await db().rows<{ name: string }>(sql`
        select id_string as name from forms where id = any(${ids}::int[]) order by id`)
    ).map(({ name }) => name)

  it('names the forms of a project on which somebody may not do what they ask for', async () => {
    const max = await person()
    const { owner, pk, forms } = await place([max], 'readonly')
    await share(pk, max, 'manager')
    const gone = await form(pk, owner, now)
    await setFormRoles(db(), gone, [max], 'readonly', now)
    expect(await listFormsWithout(db(), pk, max, 'manage')).toEqual(await names([forms[0], forms[1]]))
    expect(await listFormsWithout(db(), pk, max, 'view')).toEqual([])
    expect(await listFormsWithout(db(), pk, owner, 'manage')).toEqual([])
    await setFormRoles(db(), forms[0], [max], 'manager', now)
    expect(await listFormsWithout(db(), pk, max, 'manage')).toEqual(await names([forms[1]]))
  })

  it('the oldest form on which somebody may not do it comes first, however the rows lie in the table', async () => {
    const [max, owner] = [await person(), await person()]
    const [pk, aside] = [await project(owner), await project(owner)]
    await share(pk, max, 'manager')
    const ids = await Promise.all(Array.from({ length: 12 }, () => form(pk, owner)))
    for (const id of ids) await setFormRoles(db(), id, [max], 'readonly', now)
    // Rows that were in another project lie behind all others. Now it is the other way round, also by the keys of their names.
    await db().run(sql`update forms set id_key = lpad((1000000 - id)::text, 9, '0') where project_id = ${pk}`)
    for (const id of ids.sort((one, other) => other - one))
      for (const to of [aside, pk]) await db().run(sql`update forms set project_id = ${to} where id = ${id}`)
    expect(await listFormsWithout(db(), pk, max, 'manage')).toEqual(await names(ids))
  })

  it('a form that moves leaves its own roles behind, or all but those of owners; another form keeps its own', async () => {
    const [ana, eve] = [await person(), await person()]
    const { forms } = await place([ana], 'readonly')
    await setFormRoles(db(), forms[0], [eve], 'owner', now)
    await removeFormRoles(db(), forms[0], 'all but owners')
    const others = [`${forms[1]}:${ana}:readonly`, `${forms[2]}:${ana}:readonly`]
    expect(await formRoles()).toEqual([`${forms[0]}:${eve}:owner`, ...others])
    await removeFormRoles(db(), forms[0], 'all')
    expect(await formRoles()).toEqual(others)
  })
})

describe('owners of a project', () => {
  it('are people with that role for any reason, each once, with a closed account where one asks for it', async () => {
    const [org, ana, ben, closed] = [
      await person({ isOrg: true }),
      await person(),
      await person(),
      await person({ isActive: false }),
    ]
    const [pk, other] = [await project(org), await project(ben)]
    await join(org, ana, 'owner')
    await share(pk, ana, 'owner')
    await share(pk, closed, 'owner')
    await share(pk, ben, 'manager')
    expect(await listProjectOwners(db(), pk)).toEqual([ana])
    expect((await listProjectOwners(db(), pk, 'also inactive')).sort((a, b) => a - b)).toEqual([ana, closed])
    expect(await listProjectOwners(db(), other)).toEqual([ben])
  })
})

describe('an organization', () => {
  it('takes from whoever leaves their roles on its projects and forms, and from nobody else, and nowhere else', async () => {
    const [org, ana, ben] = [await person({ isOrg: true }), await person(), await person()]
    const [own, other] = [await project(org), await project(ben)]
    const [ownForm, otherForm] = [await form(own, org), await form(other, ben)]
    for (const user of [ana, ben]) for (const one of [own, other]) await share(one, user, 'readonly')
    for (const one of [ownForm, otherForm]) await setFormRoles(db(), one, [ana, ben], 'readonly', now)
    await removeRolesInOrganization(db(), org, ana)
    expect(await projectRoles()).toEqual([
      `${own}:${ben}:readonly`,
      `${other}:${ana}:readonly`,
      `${other}:${ben}:readonly`,
    ])
    expect(await formRoles()).toEqual([
      `${ownForm}:${ben}:readonly`,
      `${otherForm}:${ana}:readonly`,
      `${otherForm}:${ben}:readonly`,
    ])
  })

  it('lets its managers manage what they made for it themselves', async () => {
    const [org, ana, ben] = [await person({ isOrg: true }), await person(), await person()]
    const [mine, kept] = [await project(org, ana), await project(org, ana)]
    await project(org, ben)
    await project(ana, ana)
    await share(kept, ana, 'readonly')
    await manageOwnProjects(db(), org, ana, now)
    expect(await projectRoles()).toEqual([`${mine}:${ana}:manager`, `${kept}:${ana}:readonly`])
  })

  it('gives a team a role on a project, one at a time, and takes one or all of them', async () => {
    const org = await person({ isOrg: true })
    const [pk, other] = [await project(org), await project(org)]
    const [nurses, doctors] = [await team(org), await team(org)]
    for (const one of [nurses, doctors])
      for (const place of [pk, other]) await setTeamRole(db(), one, place, 'readonly')
    await setTeamRole(db(), nurses, pk, 'editor')
    const rest = [`${nurses}:${other}:readonly`, `${doctors}:${pk}:readonly`, `${doctors}:${other}:readonly`]
    expect(await teamRoles()).toEqual([`${nurses}:${pk}:editor`, ...rest])
    await removeTeamRole(db(), nurses, pk)
    expect(await teamRoles()).toEqual(rest)
    await removeTeamRoles(db(), other)
    expect(await teamRoles()).toEqual([`${doctors}:${pk}:readonly`])
  })

  it('gives all of its members a role by the team of all of them; a person has no such team', async () => {
    const [org, other] = [await person({ isOrg: true }), await person({ isOrg: true })]
    const pk = await project(org)
    const all = await team(org, 'members')
    await team(org)
    await team(other, 'members')
    for (const role of ['readonly', 'editor'] as const) await setMembersDefault(db(), org, pk, role)
    await setMembersDefault(db(), await person(), pk, 'manager')
    expect(await teamRoles()).toEqual([`${all}:${pk}:editor`])
  })
})

describe('common ground', () => {
  const areTogether = async (one: number, other: number) =>
    (await db().one<{ found: boolean }>(sql`select ${haveCommonGround(one, sql`${other}::int`)} as found`)).found

  it('have two people of one organization, or on one project, and nobody else', async () => {
    const [org, ana, ben, eve] = [await person({ isOrg: true }), await person(), await person(), await person()]
    const elsewhere = await person({ isOrg: true })
    await join(org, ana, 'member')
    await join(elsewhere, eve, 'member')
    expect([await areTogether(ana, ben), await areTogether(ana, eve)]).toEqual([false, false])
    await join(org, ben, 'member')
    expect([await areTogether(ana, ben), await areTogether(ben, ana), await areTogether(ana, eve)]).toEqual([
      true,
      true,
      false,
    ])
    const [max, zoe, lone] = [await person(), await person(), await person()]
    const [pk, other] = [await project(await person()), await project(await person())]
    await share(pk, max, 'readonly')
    await share(other, lone, 'readonly')
    expect([await areTogether(max, zoe), await areTogether(max, lone)]).toEqual([false, false])
    await share(pk, zoe, 'readonly')
    expect([await areTogether(max, zoe), await areTogether(max, lone), await areTogether(ana, zoe)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('a role that somebody could still give', () => {
  it('is an owner’s by owners, any other by managers too, of this project, with an account that is not closed', async () => {
    const [ana, max, eve] = [await person(), await person(), await person()]
    const closed = await person({ isActive: false })
    const [pk, other] = [await project(ana), await project(ana)]
    await share(pk, max, 'manager')
    await share(pk, eve, 'editor')
    await share(pk, closed, 'manager')
    await share(other, eve, 'owner')
    const could = async (user: number, role: RoleName) =>
      (
        await db().one<{ found: boolean }>(sql`
          select ${couldStillGive({ projectId: sql`${pk}::int`, userId: sql`${user}::int`, role: sql`${role}::text` })}
            as found`)
      ).found
    const roles = ['owner', 'manager', 'readonly'] as const
    const all = async (user: number) => Promise.all(roles.map((role) => could(user, role)))
    expect(await all(ana)).toEqual([true, true, true])
    expect(await all(max)).toEqual([false, true, true])
    expect([await all(eve), await all(closed)]).toEqual([Array(3).fill(false), Array(3).fill(false)])
  })
})
