// Organizations: /orgs. Anybody may look at one; who belongs to it, and what they may do, is decided in permissions.
import type { Deps } from '../../platform/deps.js'
import { type App, absent, errors, faultsFrom, notFound, throwFaults } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { limitAddressGuesses } from '../credentials/index.js'
import { type Metadata, metadataFault } from '../profiles/index.js'
import { findActiveUser, findTaken, normalizeUsername } from '../users/index.js'
import type { OrganizationTeams } from './organization-teams.js'
import { orgTakenMessage } from './organizations.errors.js'
import { findOrganization, listAllMembers, listOrganizations, type Organization } from './organizations.queries.js'
import {
  CreateOrganization,
  OrganizationParams,
  OrganizationsQuery,
  OrganizationView,
  PatchOrganization,
} from './organizations.schemas.js'
import { changeOrganization, createOrganization, organizationFor } from './organizations.service.js'
import { organizationView } from './organizations.views.js'

const addMetadataFault = (faults: Record<string, string | readonly string[]>, metadata: Metadata | undefined): void => {
  const fault = faults.metadata === undefined ? metadataFault(metadata) : undefined
  if (fault !== undefined) faults.metadata = [fault]
}

export const organizationRoutes = async (app: App, deps: Deps, teams: OrganizationTeams): Promise<void> => {
  const { db, secrets } = deps

  const viewOf = async (origin: string, callerId: number, name: string) => {
    const organization = await findOrganization(db, callerId, name)
    if (organization === undefined) throw absent()
    return organizationView({ origin, secrets }, organization, await listAllMembers(db, [organization.id]))
  }

  app.post(
    '/orgs',
    {
      config: { operation: 'organization.create', access: 'user' },
      schema: {
        summary: 'Make an organization',
        description: 'The caller becomes its creator and its first owner.',
        tags: ['organizations'],
        body: CreateOrganization,
        response: { 201: OrganizationView, ...errors(400, 401, 413, 415, 429) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const { body, caller, origin } = request
      const faults = faultsFrom(request.validationError)
      await limitAddressGuesses(deps, request, async () => {
        const org = faults.org === undefined ? (body?.org ?? '') : ''
        const taken = await findTaken(db, { username: org, email: '', exceptId: 0 })
        if (taken.username) faults.org = [orgTakenMessage(org)]
        addMetadataFault(faults, body?.metadata)
        throwFaults(faults)
        await createOrganization(deps, teams, caller.id, body)
      })
      const view = await viewOf(origin, caller.id, body.org)
      return reply.code(201).header('location', view.url).send(view)
    },
  )

  app.get(
    '/orgs',
    {
      config: { operation: 'organization.list', access: 'anyone' },
      schema: {
        summary: 'Organizations that the caller belongs to',
        tags: ['organizations'],
        querystring: OrganizationsQuery,
        response: { 200: Type.Array(OrganizationView), ...errors(400, 401, 404) },
      },
    },
    async ({ query, caller, origin }) => {
      if (caller.isAnonymous) return []
      const other = query.shared_with === undefined ? undefined : await findActiveUser(db, query.shared_with)
      if (query.shared_with !== undefined && other === undefined) throw notFound()
      const organizations = await listOrganizations(db, caller.id, other?.id)
      const members = await listAllMembers(
        db,
        organizations.map(({ id }) => id),
      )
      const membersOf = ({ id }: Organization) => members.filter(({ orgId }) => orgId === id)
      return organizations.map((one) => organizationView({ origin, secrets }, one, membersOf(one)))
    },
  )

  app.get(
    '/orgs/:org',
    {
      config: { operation: 'organization.get', access: 'anyone' },
      schema: {
        summary: 'One organization',
        description: 'Its members and its address are shown to members, its metadata to owners and managers.',
        tags: ['organizations'],
        params: OrganizationParams,
        response: { 200: OrganizationView, ...errors(401, 404) },
      },
    },
    async ({ params, caller, origin }) => viewOf(origin, caller.id, params.org),
  )

  for (const method of ['PATCH', 'PUT'] as const) {
    app.route({
      method,
      url: '/orgs/:org',
      config: { operation: `organization.${method.toLowerCase()}`, access: 'user' },
      schema: {
        summary: 'Change an organization',
        description: 'For its owners. Metadata is replaced as a whole.',
        tags: ['organizations'],
        params: OrganizationParams,
        body: PatchOrganization,
        response: { 200: OrganizationView, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
      handler: async (request) => {
        const { params, body, caller, origin } = request
        const organization = await organizationFor(db, caller.id, params.org, 'change')
        const faults = faultsFrom(request.validationError)
        const isRenamed = typeof body?.org === 'string' && normalizeUsername(body.org) !== organization.username
        if (isRenamed) faults.org ??= ['Organization username cannot be changed.']
        addMetadataFault(faults, body?.metadata)
        throwFaults(faults)
        await changeOrganization(deps, organization.id, body)
        return viewOf(origin, caller.id, params.org)
      },
    })
  }
}
