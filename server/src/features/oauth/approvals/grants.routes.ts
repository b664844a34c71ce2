// /o/authorized_tokens: what somebody has allowed, and taking it back.
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../../platform/deps.js'
import { type App, errors, escapeHtml, NoBody, notFound, orPage, Redirect } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { formPage, hiddenFields, wantsPage } from '../../sign-in/index.js'
import { EmptyForm, navigation, type Visit, visitOf } from '../clients/index.js'
import { deleteOwnGrant, type GrantSummary, listGrants } from './grants.queries.js'

const tags = ['oauth']

const GrantView = Type.Object(
  { id: Type.String(), name: Type.String(), scope: Type.String(), created_at: Type.String() },
  {
    examples: [{ id: 'mB1…', name: 'Field map', scope: 'read write groups', created_at: '2025-03-01T08:00:00.000Z' }],
  },
)

const GrantParams = Type.Object({ id: Type.String({ maxLength: 50, examples: ['mB1'] }) })

const grantView = ({ id, clientName, scope, createdAt }: GrantSummary) => ({
  id,
  name: clientName,
  scope,
  created_at: createdAt.toISOString(),
})

const grantsPage = ({ username, csrf }: Visit, grants: readonly GrantSummary[]): string => {
  const item = ({
    id,
    clientName,
    scope,
    createdAt,
  }: GrantSummary) => `<li><p><strong>${escapeHtml(clientName)}</strong>
since ${createdAt.toISOString().slice(0, 10)}: ${escapeHtml(scope)}</p>
<form method="post" action="/o/authorized_tokens/${escapeHtml(id)}/delete/">${hiddenFields({ csrf })}
<button class="quiet" aria-label="Take it back from ${escapeHtml(clientName)}">Take it back</button></form></li>`
  return formPage(
    'What you have allowed',
    `${navigation(username, csrf)}<h1>What you have allowed</h1>
${grants.length === 0 ? '<p>No program may act for you.</p>' : `<ul>${grants.map(item).join('\n')}</ul>`}`,
  )
}

export const grantRoutes = async (app: App, deps: Deps) => {
  const { db, clock } = deps

  app.get(
    '/o/authorized_tokens',
    {
      config: { operation: 'oauth.grant.list', access: 'user' },
      schema: {
        summary: 'What you have allowed',
        tags,
        response: { 200: orPage(Type.Array(GrantView)), 302: Redirect, ...errors(401) },
      },
    },
    async (request, reply) => {
      const grants = await listGrants(db, request.caller.id, clock.now())
      if (!wantsPage(request)) return reply.send(grants.map(grantView))
      return reply.type('text/html; charset=utf-8').send(grantsPage(visitOf(deps, request), grants) as never)
    },
  )

  const takeBack = async (id: string, userId: number): Promise<void> => {
    if (!(await deleteOwnGrant(db, id, userId))) throw notFound()
  }
  const sendNothing = (reply: FastifyReply) => reply.code(204).send(null)

  app.delete(
    '/o/authorized_tokens/:id',
    {
      config: { operation: 'oauth.grant.delete', access: 'user' },
      schema: {
        summary: 'Take back what you have allowed; its tokens end at once',
        tags,
        params: GrantParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      await takeBack(params.id, caller.id)
      return sendNothing(reply)
    },
  )

  app.post(
    '/o/authorized_tokens/:id/delete',
    {
      config: { operation: 'oauth.grant.delete_by_form', access: 'user' },
      schema: {
        summary: 'The same by its form',
        tags,
        params: GrantParams,
        body: EmptyForm,
        response: { 204: NoBody, 302: Redirect, ...errors(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await takeBack(request.params.id, request.caller.id)
      return wantsPage(request) ? reply.redirect('/o/authorized_tokens/', 302) : sendNothing(reply)
    },
  )
}
