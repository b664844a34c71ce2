// Keys for devices: /projects/{pk}/keys and /keys/{id}. For managers and owners of the project.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import type { Room } from '../../platform/deps.js'
import { errors, faultsFrom, NoBody } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { findForm } from '../forms/index.js'
import { ProjectParams, projectFor } from '../projects/index.js'
import { type DeviceKey, listKeysOfProject } from './keys.queries.js'
import { CreateKey, KeyParams, KeyView, PatchKey } from './keys.schemas.js'
import { changeKey, createKey, deleteKey, managedKey, renewKey, revokeKey } from './keys.service.js'
import { addressOfKey, keyView } from './keys.views.js'
import { openWebform } from './webforms.js'

const secret = { 'cache-control': 'no-store' }

export const keyRoutes: Room = async (app, deps) => {
  const { db, secrets, clock } = deps
  const contextOf = ({ caller, origin }: FastifyRequest) => ({ secrets, caller, origin, now: clock.now() })
  const detailOf = async (request: FastifyRequest, id: number | string) =>
    keyView(contextOf(request), await managedKey(db, request.caller, String(id)))

  /** The page of a link speaks of its token. */
  const renewWebform = async ({ origin }: FastifyRequest, { id, kind, formId, isSingle }: DeviceKey, token: string) => {
    const form = kind === 'link' && formId !== null ? await findForm(db, 0, formId) : undefined
    if (form === undefined) return
    await openWebform(deps, { id, address: addressOfKey(origin, token), formId: form.idString, isSingle })
  }

  app.get(
    '/projects/:pk/keys',
    {
      config: { operation: 'key.list', access: 'user' },
      schema: {
        summary: 'Keys of a project',
        description: `Newest first; links of its forms too. Of each the latest ${budgets.keys.devicesListed} devices.`,
        tags: ['keys'],
        params: ProjectParams,
        response: { 200: Type.Array(KeyView), ...errors(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id } = await projectFor(db, request.caller, request.params.pk, 'manage')
      const keys = await listKeysOfProject(db, request.caller.id, id, budgets.keys.devicesListed)
      reply.headers(secret)
      return keys.map((key) => keyView(contextOf(request), key))
    },
  )

  app.post(
    '/projects/:pk/keys',
    {
      config: { operation: 'key.create', access: 'user' },
      schema: {
        summary: 'Make a key for devices without an account',
        description:
          'A phone that is given its `address` as server lists, fills in and sends forms of the project, and nothing else. It holds as long as whoever made it manages the project.',
        tags: ['keys'],
        params: ProjectParams,
        body: CreateKey,
        response: { 201: KeyView, ...errors(400, 401, 403, 404, 409) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const { params, body, caller, validationError } = request
      const project = await projectFor(db, caller, params.pk, 'manage')
      const { id } = await createKey(deps, caller, project, body ?? {}, faultsFrom(validationError))
      return reply
        .code(201)
        .headers(secret)
        .send(await detailOf(request, id))
    },
  )

  app.get(
    '/keys/:id',
    {
      config: { operation: 'key.get', access: 'user' },
      schema: {
        summary: 'One key',
        tags: ['keys'],
        params: KeyParams,
        response: { 200: KeyView, ...errors(401, 403, 404) },
      },
    },
    async (request, reply) => reply.headers(secret).send(await detailOf(request, request.params.id)),
  )

  app.patch(
    '/keys/:id',
    {
      config: { operation: 'key.change', access: 'user' },
      schema: {
        summary: 'Change a key',
        description:
          'What is left out stays. Whoever changes its forms, or one that had stopped, holds it from then on. A record of a form that was taken out is still received.',
        tags: ['keys'],
        params: KeyParams,
        body: PatchKey,
        response: { 200: KeyView, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const { params, body, caller, validationError } = request
      const key = await managedKey(db, caller, params.id)
      await changeKey(deps, caller, key, body ?? {}, faultsFrom(validationError))
      return reply.headers(secret).send(await detailOf(request, key.id))
    },
  )

  app.delete(
    '/keys/:id',
    {
      config: { operation: 'key.delete', access: 'user' },
      schema: {
        summary: 'Delete a key',
        description: 'Records keep its name.',
        tags: ['keys'],
        params: KeyParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      await deleteKey(deps, caller, await managedKey(db, caller, params.id))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/keys/:id/revoke',
    {
      config: { operation: 'key.revoke', access: 'user' },
      schema: {
        summary: 'Revoke a key',
        description:
          'It opens nothing from this moment on, for good. What is on the phone stays there. Twice is the same.',
        tags: ['keys'],
        params: KeyParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      await revokeKey(deps, caller, await managedKey(db, caller, params.id))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/keys/:id/renew',
    {
      config: { operation: 'key.renew', access: 'user' },
      schema: {
        summary: 'Give a key a new token',
        description:
          'The former one opens nothing from this moment on: for a sheet of codes that was lost. Whoever renews it holds it from then on, and manages all forms that it opens. 409 for one that is revoked.',
        tags: ['keys'],
        params: KeyParams,
        response: { 201: KeyView, ...errors(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const key = await managedKey(db, request.caller, request.params.id)
      const token = await renewKey(deps, request.caller, key)
      await renewWebform(request, key, token)
      return reply
        .code(201)
        .headers(secret)
        .send(await detailOf(request, key.id))
    },
  )
}
