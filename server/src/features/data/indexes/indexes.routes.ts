// Indexes of answers: /forms/{pk}/indexes. For those who manage the form.
import { budgets } from '../../../budgets.js'
import type { Database } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { type App, absent, errors, faultsFrom, invalid, NoBody, partId } from '../../../platform/http/index.js'
import { type Static, Type } from '../../../platform/schema/index.js'
import { asFormManager, FormParams, formFor } from '../../forms/index.js'
import { chosenOf } from './choosing.js'
import { noKind, noQuestion, tooManyIndexes } from './indexes.errors.js'
import {
  countWanted,
  forbidIndex,
  listShown,
  listTended,
  lockWanted,
  type ShownIndex,
  wantIndex,
} from './indexes.queries.js'
import { CreateIndex, IndexParams, IndexView } from './indexes.schemas.js'
import { kindsFor, tendSoon } from './tending.js'

const { perForm, inAll } = budgets.indexes

/** What waits and is not chosen waits for others to go. */
const postponedOf = async (db: Database, indexes: readonly ShownIndex[], now: Date): Promise<ReadonlySet<number>> => {
  const waiting = indexes.filter(({ state }) => state === 'waiting').map(({ id }) => id)
  if (waiting.length === 0) return new Set()
  const chosen = new Set(chosenOf(await listTended(db), now).map(({ id }) => id))
  return new Set(waiting.filter((id) => !chosen.has(id)))
}

const indexView = (index: ShownIndex, isPostponed: boolean): Static<typeof IndexView> => ({
  id: index.id,
  question: index.key,
  kind: index.kind,
  state: isPostponed ? 'postponed' : index.state,
  bytes: index.bytes,
  filtered: index.filtered,
  sorted: index.sorted,
  last_asked: index.askedAt?.toISOString() ?? null,
  since: index.stateAt.toISOString(),
  wanted_by: index.wantedByName,
})

export const indexRoutes = async (app: App, { db, clock }: Deps): Promise<void> => {
  const viewsOf = async (indexes: readonly ShownIndex[]) => {
    const postponed = await postponedOf(db, indexes, clock.now())
    return indexes.map((index) => indexView(index, postponed.has(index.id)))
  }

  /** What of the answers is to be indexed. */
  const readKind = async (formId: number, { question, kind }: Static<typeof CreateIndex>) => {
    const kinds = await kindsFor(db, formId, question)
    const [usual] = kinds
    if (usual === undefined) throw noQuestion(question)
    const chosen = kind === undefined ? usual : kinds.find((one) => one === kind)
    if (chosen === undefined) throw noKind(kind ?? '', kinds)
    return chosen
  }

  app.get(
    '/forms/:pk/indexes',
    {
      config: { operation: 'index.list', access: 'user' },
      schema: {
        summary: 'Indexes of a form’s answers',
        description:
          'Questions by which records of a large form are filtered and sorted, and the indexes that make that fast. They make themselves when a question is asked often, and go when it is not asked any more. For managers and owners of the form.',
        tags: ['data'],
        params: FormParams,
        response: { 200: Type.Array(IndexView), ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }) => {
      const { id } = await formFor(db, caller, params.pk, 'manage')
      return viewsOf(await listShown(db, id))
    },
  )

  app.post(
    '/forms/:pk/indexes',
    {
      config: { operation: 'index.create', access: 'user' },
      schema: {
        summary: 'Ask for an index of a question’s answers',
        description:
          'It is made in the background within some minutes, beside whoever writes, and stays until it is given up. Where all places are taken by indexes of large forms, that of a small one is `postponed` until there is room. One that was forbidden is allowed again.',
        tags: ['data'],
        params: FormParams,
        body: CreateIndex,
        response: { 202: IndexView, ...errors(400, 401, 403, 404, 409) },
      },
      attachValidation: true,
    },
    async ({ params, body, caller, validationError }, reply) => {
      const form = await formFor(db, caller, params.pk, 'manage')
      if (validationError !== undefined) throw invalid(faultsFrom(validationError))
      const kind = await readKind(form.id, body)
      await asFormManager(db, caller, form.id, async (tx, { ownerId }) => {
        await lockWanted(tx, ownerId)
        await wantIndex(tx, form.id, body.question, kind, caller.id)
        const wanted = await countWanted(tx, form.id)
        if (wanted.ofForm > perForm) throw tooManyIndexes(perForm)
        if (wanted.ofOwner > inAll) throw tooManyIndexes(inAll)
      })
      await tendSoon(db)
      const shown = await viewsOf(await listShown(db, form.id))
      const made = shown.find((one) => one.question === body.question && one.kind === kind)
      if (made === undefined) throw absent()
      return reply.code(202).send(made)
    },
  )

  app.delete(
    '/forms/:pk/indexes/:id',
    {
      config: { operation: 'index.delete', access: 'user' },
      schema: {
        summary: 'Give up an index',
        description: 'It is dropped within some minutes, and does not make itself again.',
        tags: ['data'],
        params: IndexParams,
        response: { 204: NoBody, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const form = await formFor(db, caller, params.pk, 'manage')
      if ((await forbidIndex(db, form.id, partId(params.id))) === 0) throw absent()
      await tendSoon(db)
      return reply.code(204).send(null)
    },
  )
}
