// The question library of a project: /projects/{pk}/library. Read by those who have a role on the project, written by those who
// manage it.
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { type App, absent, errors, faultsFrom, NoBody, partId, refusals } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import type { Compilers } from '../forms/index.js'
import { ProjectParams, projectFor } from '../projects/index.js'
import { findBlock, listBlocks } from './library.queries.js'
import { BlockEntryView, BlockView, ChangedBlock, CreateBlock, PatchBlock } from './library.schemas.js'
import { addBlock, changeBlock, removeBlock } from './library.service.js'
import { blockEntryView, blockView } from './library.views.js'

const BlockParams = Type.Object({
  ...ProjectParams.properties,
  id: Type.String({ maxLength: 20, description: 'Id of the block.', examples: ['4'] }),
})

export const libraryRoutes =
  (compilers: Compilers) =>
  async (app: App, deps: Deps): Promise<void> => {
    const { db } = deps

    const shown = async (projectId: number, id: number) => {
      const block = await findBlock(db, projectId, id)
      if (block === undefined) throw absent()
      return blockView(block)
    }

    app.get(
      '/projects/:pk/library',
      {
        config: { operation: 'library.list', access: 'user' },
        schema: {
          summary: 'The question library of a project',
          description: 'Blocks of questions by name, without their rows.',
          tags: ['library'],
          params: ProjectParams,
          response: { 200: Type.Array(BlockEntryView), ...errors(400, 401, 403, 404) },
        },
      },
      async ({ params, caller }) => {
        const { id } = await projectFor(db, caller, params.pk, 'view')
        return (await listBlocks(db, id)).map(blockEntryView)
      },
    )

    app.post(
      '/projects/:pk/library',
      {
        config: { operation: 'library.add', access: 'user' },
        schema: {
          summary: 'Put a block of questions into the library',
          description:
            'It is held against the rules of forms, and all faults are told at once. It brings the lists of choices that it uses; it may refer to questions of the form that it will be put into.',
          tags: ['library'],
          params: ProjectParams,
          body: CreateBlock,
          response: { 201: BlockView, ...errors(400, 401, 403, 404, 409, 413) },
        },
        bodyLimit: budgets.library.bodyBytes,
        attachValidation: true,
      },
      async (request, reply) => {
        const { params, caller, origin } = request
        const project = await projectFor(db, caller, params.pk, 'manage')
        const faults = faultsFrom(request.validationError)
        const body = request.body ?? {}
        const id = await addBlock(deps, compilers.forAccount(caller), caller, project, { body, faults })
        const location = `${origin}/api/v1/projects/${project.id}/library/${id}`
        return reply
          .code(201)
          .header('location', location)
          .send(await shown(project.id, id))
      },
    )

    app.get(
      '/projects/:pk/library/:id',
      {
        config: { operation: 'library.get', access: 'user' },
        schema: {
          summary: 'A block of the library',
          tags: ['library'],
          params: BlockParams,
          response: { 200: BlockView, ...errors(400, 401, 403, 404) },
        },
      },
      async ({ params, caller }) => {
        const { id } = await projectFor(db, caller, params.pk, 'view')
        return shown(id, partId(params.id))
      },
    )

    app.patch(
      '/projects/:pk/library/:id',
      {
        config: { operation: 'library.change', access: 'user' },
        schema: {
          summary: 'Change a block of the library',
          description: 'Only what is given changes. Forms that it was put into stay as they are.',
          tags: ['library'],
          params: BlockParams,
          body: PatchBlock,
          response: { 200: BlockView, ...errors(400, 401, 403, 404, 413), ...refusals(409, ChangedBlock) },
        },
        bodyLimit: budgets.library.bodyBytes,
        attachValidation: true,
      },
      async (request) => {
        const { params, caller } = request
        const project = await projectFor(db, caller, params.pk, 'manage')
        const id = partId(params.id)
        await shown(project.id, id)
        const faults = faultsFrom(request.validationError)
        const body = request.body ?? {}
        await changeBlock(deps, compilers.forAccount(caller), caller, project, { id, body, faults })
        return shown(project.id, id)
      },
    )

    app.delete(
      '/projects/:pk/library/:id',
      {
        config: { operation: 'library.delete', access: 'user' },
        schema: {
          summary: 'Delete a block of the library',
          description: 'Forms that it was put into stay as they are.',
          tags: ['library'],
          params: BlockParams,
          response: { 204: NoBody, ...errors(400, 401, 403, 404) },
        },
      },
      async ({ params, caller }, reply) => {
        const project = await projectFor(db, caller, params.pk, 'manage')
        await removeBlock(deps, caller, project, partId(params.id))
        return reply.code(204).send(null)
      },
    )
  }
