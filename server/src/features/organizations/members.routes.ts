// Members of an organization: /orgs/{org}/members. Every answer is the list of those who were added, by joining.
import type { Deps } from '../../platform/deps.js'
import { type App, errors, forbidden } from '../../platform/http/index.js'
import { organizationAccess, type RoleName } from '../permissions/index.js'
import { findPersonByName } from '../users/index.js'
import type { OrganizationTeams } from './organization-teams.js'
import { notAMember, unknownUser } from './organizations.errors.js'
import { findMemberRole, listMemberNames } from './organizations.queries.js'
import { AddMember, ChangeMember, MemberNames, OrganizationParams, RemoveMember } from './organizations.schemas.js'
import { addMember, giveRole, organizationFor, removeMember, underOrganizationLock } from './organizations.service.js'

export const memberRoutes = async (app: App, deps: Deps, teams: OrganizationTeams): Promise<void> => {
  const { db, clock } = deps
  const common = { tags: ['organizations'], params: OrganizationParams }

  app.get(
    '/orgs/:org/members',
    {
      config: { operation: 'organization.member.list', access: 'user' },
      schema: { ...common, summary: 'Members of an organization', response: { 200: MemberNames, ...errors(401, 404) } },
    },
    async ({ params, caller }) => listMemberNames(db, (await organizationFor(db, caller.id, params.org, 'view')).id),
  )

  app.post(
    '/orgs/:org/members',
    {
      config: { operation: 'organization.member.add', access: 'user', queryFillsBody: true },
      schema: {
        ...common,
        summary: 'Add a member',
        description: 'For owners. A mail is sent only with `email_msg`.',
        body: AddMember,
        response: { 201: MemberNames, ...errors(400, 401, 403, 404, 429) },
      },
      attachValidation: true,
    },
    async ({ params, body, caller, validationError }, reply) => {
      const organization = await organizationFor(db, caller.id, params.org, 'change')
      if (validationError) throw validationError
      await addMember(deps, caller.id, organization, body)
      return reply.code(201).send(await listMemberNames(db, organization.id))
    },
  )

  app.put(
    '/orgs/:org/members',
    {
      config: { operation: 'organization.member.change', access: 'user', queryFillsBody: true },
      schema: {
        ...common,
        summary: 'Change the role of a member',
        description: 'For owners.',
        body: ChangeMember,
        response: { 200: MemberNames, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
    },
    async ({ params, body, caller, validationError }) => {
      const organization = await organizationFor(db, caller.id, params.org, 'change')
      const { id: orgId } = organization
      if (validationError) throw validationError
      const person = await findPersonByName(db, body.username)
      if (person === undefined) throw unknownUser(body.username)
      await underOrganizationLock(db, caller.id, organization, 'change', async (tx) => {
        if ((await findMemberRole(tx, orgId, person.id)) === undefined) throw notAMember(body.username)
        await giveRole(tx, { orgId, userId: person.id, role: body.role as RoleName, now: clock.now() })
      })
      return listMemberNames(db, orgId)
    },
  )

  app.delete(
    '/orgs/:org/members',
    {
      config: { operation: 'organization.member.remove', access: 'user', queryFillsBody: true },
      schema: {
        ...common,
        summary: 'Remove a member, or leave',
        description: 'For owners; every member may remove themselves.',
        body: RemoveMember,
        response: { 200: MemberNames, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
    },
    async ({ params, body, caller, validationError }) => {
      const organization = await organizationFor(db, caller.id, params.org, 'view')
      const person = validationError ? undefined : await findPersonByName(db, body.username)
      const isOwner = organizationAccess(organization.callerRole ?? undefined).may('change')
      if (!isOwner && person?.id !== caller.id) throw forbidden()
      if (validationError) throw validationError
      if (person === undefined) throw unknownUser(body.username)
      const action = person.id === caller.id ? 'view' : 'change'
      await underOrganizationLock(db, caller.id, organization, action, (tx) =>
        removeMember(tx, teams, { orgId: organization.id, userId: person.id }),
      )
      return listMemberNames(db, organization.id)
    },
  )
}
