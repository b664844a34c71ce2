// /o/applications: the programs that somebody has registered. Pages for people, JSON for programs.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../platform/deps.js'
import {
  type App,
  AppError,
  errors,
  faultsFrom,
  Html,
  NoBody,
  orPage,
  Redirect,
  throwFaults,
} from '../../../platform/http/index.js'
import { type Static, Type } from '../../../platform/schema/index.js'
import { textOf } from '../../../platform/words/index.js'
import { wantsPage } from '../../sign-in/index.js'
import { clientPage, deletePage, listPage, registerPage, secretPage, updatePage } from './clients.pages.js'
import { type Client, type ClientFields, deleteClient, listClients, updateClient } from './clients.queries.js'
import {
  ClientChanges,
  ClientParams,
  ClientView,
  ClientWithSecretView,
  EmptyForm,
  NewClientBody,
} from './clients.schemas.js'
import {
  type ClientWithSecret,
  clientView,
  getOwnClient,
  kindFaults,
  registerClient,
  renewSecret,
} from './clients.service.js'
import { visitOf } from './page-callers.js'
import { addressesIn } from './redirect-addresses.js'

const tags = ['oauth']

/** `redirect_uri` is the contract's word, `redirect_uris` that of the family; JSON may send a list. */
const readAddresses = async ({ body }: FastifyRequest) => {
  if (typeof body !== 'object' || body === null) return
  const fields = body as { redirect_uri?: unknown; redirect_uris?: unknown }
  const given = fields.redirect_uris ?? fields.redirect_uri
  if (given !== undefined) fields.redirect_uris = Array.isArray(given) ? given.map(textOf).join(' ') : given
}

export const clientRoutes = async (app: App, deps: Deps) => {
  const { db } = deps
  const html = (reply: FastifyReply, markup: string, status = 200) =>
    reply.code(status).type('text/html; charset=utf-8').send(markup)
  const ownClient = ({ params, caller }: { params: { id: string }; caller: { id: number } }) =>
    getOwnClient(deps, params.id, caller.id)
  const sendSecret = (request: FastifyRequest, reply: FastifyReply, made: ClientWithSecret) => {
    reply.code(201).header('location', `${request.origin}/o/applications/${made.client.id}/`)
    if (wantsPage(request)) return html(reply, secretPage(visitOf(deps, request), made), 201)
    return reply.send({ ...clientView(made.client), client_secret: made.secret })
  }

  app.get(
    '/o/applications',
    {
      config: { operation: 'oauth.client.list', access: 'user' },
      schema: {
        summary: 'Your clients',
        tags,
        response: { 200: orPage(Type.Array(ClientView)), 302: Redirect, ...errors(401) },
      },
    },
    async (request, reply) => {
      const clients = await listClients(db, request.caller.id)
      if (wantsPage(request)) return html(reply, listPage(visitOf(deps, request), clients))
      return reply.send(clients.map(clientView))
    },
  )

  app.get(
    '/o/applications/register',
    {
      config: { operation: 'oauth.client.register_page', access: 'user' },
      schema: {
        summary: 'The form that registers a client',
        tags,
        response: { 200: Html, 302: Redirect, ...errors(401, 404) },
      },
    },
    async (request, reply) => html(reply, registerPage(visitOf(deps, request), { values: {} })),
  )

  app.post(
    '/o/applications/register',
    {
      config: { operation: 'oauth.client.register', access: 'user' },
      schema: {
        summary: 'Register a client',
        description: 'The secret is in the answer, once. Clients that run in browsers or on phones are `public`.',
        tags,
        body: NewClientBody,
        response: { 201: orPage(ClientWithSecretView), ...errors(400, 401, 403) },
      },
      preValidation: readAddresses,
      attachValidation: true,
    },
    async (request, reply) => {
      const faults = faultsFrom(request.validationError)
      if (Object.keys(faults).length > 0 && wantsPage(request)) {
        return html(reply, registerPage(visitOf(deps, request), { values: request.body ?? {}, faults }), 400)
      }
      throwFaults(faults)
      try {
        return sendSecret(request, reply, await registerClient(deps, request.caller.id, request.body))
      } catch (error) {
        const found = error instanceof AppError ? error.fields : undefined
        if (found === undefined || !wantsPage(request)) throw error
        return html(reply, registerPage(visitOf(deps, request), { values: request.body, faults: found }), 400)
      }
    },
  )

  app.get(
    '/o/applications/:id',
    {
      config: { operation: 'oauth.client.get', access: 'user' },
      schema: {
        summary: 'One of your clients',
        tags,
        params: ClientParams,
        response: { 200: orPage(ClientView), 302: Redirect, ...errors(401, 404) },
      },
    },
    async (request, reply) => {
      const client = await ownClient(request)
      if (wantsPage(request)) return html(reply, clientPage(visitOf(deps, request), client))
      return reply.send(clientView(client))
    },
  )

  const changesIn = (body: Static<typeof ClientChanges>): ClientFields => {
    const { name, redirect_uris: addresses, post_logout_redirect_uris: waysOut } = body ?? {}
    return {
      ...(name !== undefined && { name }),
      ...(addresses !== undefined && { redirectUris: addressesIn(addresses) }),
      ...(waysOut !== undefined && { postLogoutUris: addressesIn(waysOut) }),
    }
  }
  const change = async (client: Client, body: Static<typeof ClientChanges>) =>
    (await updateClient(db, client.id, changesIn(body))) ?? client

  app.patch(
    '/o/applications/:id',
    {
      config: { operation: 'oauth.client.patch', access: 'user' },
      schema: {
        summary: 'Change the name or the redirect addresses of a client',
        tags,
        params: ClientParams,
        body: ClientChanges,
        response: { 200: ClientView, ...errors(400, 401, 403, 404) },
      },
      preValidation: readAddresses,
      attachValidation: true,
    },
    async (request) => {
      const client = await ownClient(request)
      const faults = faultsFrom(request.validationError)
      throwFaults(Object.keys(faults).length > 0 ? faults : kindFaults({ ...client, ...changesIn(request.body) }))
      return clientView(await change(client, request.body))
    },
  )

  app.delete(
    '/o/applications/:id',
    {
      config: { operation: 'oauth.client.delete', access: 'user' },
      schema: {
        summary: 'Delete a client, with everything that was granted to it',
        tags,
        params: ClientParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await deleteClient(db, (await ownClient(request)).id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/o/applications/:id/update',
    {
      config: { operation: 'oauth.client.update_page', access: 'user' },
      schema: {
        summary: 'The form that changes a client',
        tags,
        params: ClientParams,
        response: { 200: Html, 302: Redirect, ...errors(401, 404) },
      },
    },
    async (request, reply) => {
      const client = await ownClient(request)
      return html(reply, updatePage(visitOf(deps, request), client, { values: clientView(client) }))
    },
  )

  app.post(
    '/o/applications/:id/update',
    {
      config: { operation: 'oauth.client.update', access: 'user' },
      schema: {
        summary: 'Change a client by its form',
        tags,
        params: ClientParams,
        body: ClientChanges,
        response: { 200: ClientView, 302: Redirect, ...errors(400, 401, 403, 404) },
      },
      preValidation: readAddresses,
      attachValidation: true,
    },
    async (request, reply) => {
      const client = await ownClient(request)
      const sent = faultsFrom(request.validationError)
      const faults = Object.keys(sent).length > 0 ? sent : kindFaults({ ...client, ...changesIn(request.body) })
      if (Object.keys(faults).length > 0 && wantsPage(request)) {
        return html(reply, updatePage(visitOf(deps, request), client, { values: request.body ?? {}, faults }), 400)
      }
      throwFaults(faults)
      const changed = await change(client, request.body)
      if (wantsPage(request)) return reply.redirect(`/o/applications/${client.id}/`, 302)
      return reply.send(clientView(changed))
    },
  )

  app.get(
    '/o/applications/:id/delete',
    {
      config: { operation: 'oauth.client.delete_page', access: 'user' },
      schema: {
        summary: 'The form that deletes a client',
        tags,
        params: ClientParams,
        response: { 200: Html, 302: Redirect, ...errors(401, 404) },
      },
    },
    async (request, reply) => html(reply, deletePage(visitOf(deps, request), await ownClient(request))),
  )

  app.post(
    '/o/applications/:id/delete',
    {
      config: { operation: 'oauth.client.delete_by_form', access: 'user' },
      schema: {
        summary: 'Delete a client by its form',
        tags,
        params: ClientParams,
        body: EmptyForm,
        response: { 204: NoBody, 302: Redirect, ...errors(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await deleteClient(db, (await ownClient(request)).id)
      if (wantsPage(request)) return reply.redirect(`/o/applications/`, 302)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/o/applications/:id/secret',
    {
      config: { operation: 'oauth.client.renew_secret', access: 'user' },
      schema: {
        summary: 'A new secret in place of the old one',
        tags,
        params: ClientParams,
        body: EmptyForm,
        response: { 201: orPage(ClientWithSecretView), ...errors(401, 403, 404) },
      },
    },
    async (request, reply) => sendSecret(request, reply, await renewSecret(deps, await ownClient(request))),
  )
}
