// Invitations to a project, for its managers and owners.
import type { FastifyRequest } from 'fastify'
import { largestId } from '../../platform/db/index.js'
import type { Room } from '../../platform/deps.js'
import { badRequest, errors, faultsFrom, notFound, throwFaults } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { limitAddressGuesses } from '../credentials/index.js'
import { listInvitations, markResent, revokeInvitation } from '../invitations/index.js'
import { arrivalOf } from '../profiles/index.js'
import { changeInvitation, invite, resend, withPending } from './invitations.service.js'
import { ProjectParams } from './projects.schemas.js'
import { projectFor } from './projects.service.js'

const InvitationView = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String(),
    role: Type.String(),
    status: Type.Integer({ description: '1 pending, 2 accepted, 3 revoked.' }),
  },
  { examples: [{ id: 1, email: 'jane@example.org', role: 'editor', status: 1 }] },
)

const Email = Type.String({ minLength: 1, maxLength: 254, format: 'email', examples: ['jane@example.org'] })
const Role = Type.String({ minLength: 1, maxLength: 50, examples: ['editor'] })
const Id = Type.Integer({ minimum: 1, maximum: largestId })

const InviteBody = Type.Object(
  { email: Email, role: Role },
  { examples: [{ email: 'jane@example.org', role: 'editor' }] },
)
const ChangeBody = Type.Object({ email: Email, role: Role, invitation_id: Type.Optional(Id) })
const IdBody = Type.Object({ invitation_id: Id }, { examples: [{ invitation_id: 6 }] })
const Message = Type.Object({ message: Type.String() }, { examples: [{ message: 'Success' }] })

const senderOf = (request: FastifyRequest) => ({ callerId: request.caller.id, arrival: arrivalOf(request) })

export const invitationRoutes: Room = async (app, deps) => {
  const { db, clock } = deps

  app.get(
    '/projects/:pk/invitations',
    {
      config: { operation: 'project.invitation.list', access: 'user' },
      schema: {
        summary: 'Invitations to a project',
        tags: ['projects'],
        params: ProjectParams,
        querystring: Type.Object({
          status: Type.Optional(Type.String({ maxLength: 20, description: '1, 2 or 3.', examples: ['1'] })),
        }),
        response: { 200: Type.Array(InvitationView), ...errors(400, 401, 403, 404, 429) },
      },
    },
    async ({ params, query, caller }) => {
      const { id } = await projectFor(db, caller, params.pk, 'manage')
      if (query.status !== undefined && !/^\d{1,9}$/.test(query.status)) throw badRequest('Invalid status.')
      return listInvitations(db, id, query.status === undefined ? undefined : Number(query.status))
    },
  )

  app.post(
    '/projects/:pk/invitations',
    {
      config: { operation: 'project.invitation.create', access: 'user' },
      schema: {
        summary: 'Invite somebody who has no account',
        description: 'Sends a mail; the project is shared once the address has an account.',
        tags: ['projects'],
        params: ProjectParams,
        body: InviteBody,
        response: { 201: InvitationView, ...errors(400, 401, 403, 404, 429) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const { params, body, caller } = request
      const project = await projectFor(db, caller, params.pk, 'manage')
      const faults = faultsFrom(request.validationError)
      const made = await limitAddressGuesses(deps, request, () =>
        invite(deps, { project, body: body ?? {}, faults, sender: senderOf(request) }),
      )
      return reply.code(201).send(made)
    },
  )

  for (const { url, operation, params } of [
    { url: '/projects/:pk/invitations', operation: 'project.invitation.change', params: ProjectParams },
    {
      url: '/projects/:pk/invitations/:invitation_id',
      operation: 'project.invitation.change_by_path',
      params: Type.Object({
        ...ProjectParams.properties,
        invitation_id: Type.String({ maxLength: 20, examples: ['6'] }),
      }),
    },
  ] as const) {
    app.put(
      url,
      {
        config: { operation, access: 'user' },
        schema: {
          summary: 'Change a pending invitation',
          description: 'A mail is sent again when the address changes.',
          tags: ['projects'],
          params,
          body: ChangeBody,
          response: { 200: InvitationView, ...errors(400, 401, 403, 404, 429) },
        },
        attachValidation: true,
      },
      async (request) => {
        const named = request.params as { pk: string; invitation_id?: string }
        const project = await projectFor(db, request.caller, named.pk, 'manage')
        const faults = faultsFrom(request.validationError)
        if (faults.invitation_id !== undefined) throw notFound()
        const inPath = /^\d{1,9}$/.test(named.invitation_id ?? '') ? Number(named.invitation_id) : undefined
        const id = request.body?.invitation_id ?? inPath
        return limitAddressGuesses(deps, request, () =>
          changeInvitation(deps, { project, id, body: request.body ?? {}, faults, sender: senderOf(request) }),
        )
      },
    )
  }

  app.post(
    '/projects/:pk/resend-invitation',
    {
      config: { operation: 'project.invitation.resend', access: 'user' },
      schema: {
        summary: 'Send a pending invitation again',
        tags: ['projects'],
        params: ProjectParams,
        body: IdBody,
        response: { 200: Message, ...errors(400, 401, 403, 404, 429) },
      },
      attachValidation: true,
    },
    async (request) => {
      const project = await projectFor(db, request.caller, request.params.pk, 'manage')
      throwFaults(faultsFrom(request.validationError))
      await withPending(deps, project, request.body.invitation_id, 'resend', async (tx, invitation) => {
        await markResent(tx, invitation.id, request.caller.id, clock.now())
        await resend(deps, tx, project, invitation, senderOf(request))
      })
      return { message: 'Success' }
    },
  )

  app.post(
    '/projects/:pk/revoke-invitation',
    {
      config: { operation: 'project.invitation.revoke', access: 'user' },
      schema: {
        summary: 'Revoke a pending invitation',
        description: 'The project is not shared, even if the person registers.',
        tags: ['projects'],
        params: ProjectParams,
        body: IdBody,
        response: { 200: Message, ...errors(400, 401, 403, 404, 429) },
      },
      attachValidation: true,
    },
    async ({ params, body, caller, validationError }) => {
      const project = await projectFor(db, caller, params.pk, 'manage')
      throwFaults(faultsFrom(validationError))
      await withPending(deps, project, body.invitation_id, 'revoke', (tx, { id }) =>
        revokeInvitation(tx, id, clock.now()),
      )
      return { message: 'Success' }
    },
  )
}
