// Links to give away: /forms/{pk}/links. A link is a key for one form; it is changed, revoked and deleted as /keys/{id}.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import type { Room } from '../../platform/deps.js'
import { errors, faultsFrom } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { FormParams, formFor } from '../forms/index.js'
import { listLinksOfForm } from './keys.queries.js'
import { CreateLink, KeyView } from './keys.schemas.js'
import { createLink, managedKey } from './keys.service.js'
import { addressOfKey, keyView } from './keys.views.js'
import { openWebform } from './webforms.js'

const secret = { 'cache-control': 'no-store' }

export const linkRoutes: Room = async (app, deps) => {
  const { db, secrets, clock } = deps
  const contextOf = ({ caller, origin }: FastifyRequest) => ({ secrets, caller, origin, now: clock.now() })

  app.get(
    '/forms/:pk/links',
    {
      config: { operation: 'link.list', access: 'user' },
      schema: {
        summary: 'Links of a form',
        description: 'Newest first. For its managers and owners.',
        tags: ['keys'],
        params: FormParams,
        response: { 200: Type.Array(KeyView), ...errors(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id } = await formFor(db, request.caller, request.params.pk, 'manage')
      const links = await listLinksOfForm(db, request.caller.id, id, budgets.keys.devicesListed)
      reply.headers(secret)
      return links.map((link) => keyView(contextOf(request), link))
    },
  )

  app.post(
    '/forms/:pk/links',
    {
      config: { operation: 'link.create', access: 'user' },
      schema: {
        summary: 'Make a link to give away',
        description:
          'Whoever has it fills in this one form, in a browser at `fill_url` (and at `webform_url` where an Enketo server is set up), or in Collect by `address`. `limit` counts records that were created; what completes one of them is taken beyond it.',
        tags: ['keys'],
        params: FormParams,
        body: CreateLink,
        response: { 201: KeyView, ...errors(400, 401, 403, 404, 409) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const { params, body, caller, origin, validationError } = request
      const form = await formFor(db, caller, params.pk, 'manage')
      const { id, token } = await createLink(deps, caller, form, body ?? {}, faultsFrom(validationError))
      const address = addressOfKey(origin, token)
      await openWebform(deps, { id, address, formId: form.idString, isSingle: body?.single === true })
      const link = await managedKey(db, caller, String(id))
      return reply
        .code(201)
        .headers(secret)
        .send(keyView(contextOf(request), link))
    },
  )
}
