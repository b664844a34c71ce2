// /invitations/{token}: what the mail leads to. Anybody who holds the token reads it; whoever has signed in accepts it.
import type { Room } from '../../platform/deps.js'
import { errors } from '../../platform/http/index.js'
import { type Static, Type } from '../../platform/schema/index.js'
import { limitGuesses } from '../credentials/index.js'
import type { OfferedInvitation } from '../invitations/index.js'
import { profileSettings } from '../profiles/index.js'
import { acceptInvitation, readInvitation } from './invitation-tokens.js'

const TokenParams = Type.Object({
  token: Type.String({ maxLength: 100, description: 'Of the mail.', examples: [`6-${'0123456789abcdef'.repeat(4)}`] }),
})

const OfferView = Type.Object(
  {
    project: Type.Integer({ description: 'Its id: the project opens for whoever has accepted.' }),
    project_name: Type.String(),
    owner: Type.String({ description: 'Whose project it is.' }),
    invited_by: Type.String(),
    email: Type.String({ description: 'Whom the mail went to. An account with this address gets the role by itself.' }),
    role: Type.String(),
    status: Type.Integer({ description: '1 pending, 2 accepted by the caller.' }),
    registration: Type.Boolean({ description: 'Whether anybody may make an account.' }),
  },
  {
    examples: [
      {
        project: 12,
        project_name: 'Water points',
        owner: 'acme',
        invited_by: 'ana',
        email: 'jane@example.org',
        role: 'editor',
        status: 1,
        registration: true,
      },
    ],
  },
)

export const invitationTokenRoutes: Room = async (app, deps) => {
  const registration = !deps.config.of(profileSettings).mayNotRegister
  const viewOf = (offer: OfferedInvitation): Static<typeof OfferView> => ({
    project: offer.projectId,
    project_name: offer.projectName,
    owner: offer.projectOwner,
    invited_by: offer.inviter,
    email: offer.email,
    role: offer.role,
    status: offer.status,
    registration,
  })

  app.get(
    '/invitations/:token',
    {
      config: { operation: 'invitation.get', access: 'anyone' },
      schema: {
        summary: 'What an invitation says',
        description:
          'For whoever holds the token of its mail. 404 for one that is unknown, revoked, void, or accepted by somebody else.',
        tags: ['projects'],
        params: TokenParams,
        response: { 200: OfferView, ...errors(404, 429) },
      },
    },
    async (request, reply) => {
      const { params, caller } = request
      const offer = await limitGuesses(
        deps,
        'invitation_guess',
        request,
        () => readInvitation(deps, params.token, caller.id),
        404,
      )
      return reply.header('cache-control', 'no-store').send(viewOf(offer))
    },
  )

  app.post(
    '/invitations/:token/accept',
    {
      config: { operation: 'invitation.accept', access: 'user' },
      schema: {
        summary: 'Accept an invitation with the account that is signed in',
        description:
          'Whatever address the account has: the token shows that the mail was read. A higher role on the project stays. Accepting it again changes nothing.',
        tags: ['projects'],
        params: TokenParams,
        response: { 200: OfferView, ...errors(401, 404, 429) },
      },
    },
    async (request) => {
      const { params, caller } = request
      const offer = await limitGuesses(
        deps,
        'invitation_guess',
        request,
        () => acceptInvitation(deps, params.token, caller.id),
        404,
      )
      return viewOf(offer)
    },
  )
}
