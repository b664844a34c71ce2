// Labels of many records at once: /data/{pk}/labels.
import type { Db } from '../../../platform/db/index.js'
import type { Room } from '../../../platform/deps.js'
import { type Caller, errors, faultsFrom, forbidden, throwFaults } from '../../../platform/http/index.js'
import { type Static, Type } from '../../../platform/schema/index.js'
import { tagsFault, tagsIn } from '../../../platform/words/index.js'
import { addTagsToMany, type ManyTags, removeTagsFromMany, type TagChange } from '../../submissions/index.js'
import { idsIn, noIds, ownOnly, PkParams, seenForm } from '../selection/index.js'

/** One transaction labels so many: short enough to let others write. */
const mostLabelled = 1000

const ManyLabelsBody = Type.Object(
  {
    instance_ids: Type.Unknown({
      description: `Ids with commas between them, or an array of ids; at most ${mostLabelled}.`,
    }),
    tags: Type.Unknown({ description: 'A text, separated by commas or blanks; or an array of texts.' }),
  },
  { examples: [{ instance_ids: [101425, 108428], tags: 'urgent, checked' }] },
)

const ManyLabels = Type.Object(
  {
    count: Type.Integer({ description: 'Records that are others now.' }),
    changed: Type.Array(
      Type.Object({
        instance_ids: Type.Array(Type.Integer()),
        tags: Type.Array(Type.String()),
      }),
      {
        description: 'Which labels were added to which records, or removed from them; the others were as asked before.',
      },
    ),
  },
  { examples: [{ count: 2, changed: [{ instance_ids: [101425, 108428], tags: ['urgent'] }] }] },
)

/** Those with the same labels together, so that what was done can be taken back with few calls. */
const grouped = (changes: readonly TagChange[]): Static<typeof ManyLabels> => {
  const groups = new Map<string, { instance_ids: number[]; tags: string[] }>()
  for (const { id, tags } of changes) {
    const key = JSON.stringify(tags)
    const group = groups.get(key) ?? { instance_ids: [], tags }
    group.instance_ids.push(id)
    groups.set(key, group)
  }
  return { count: changes.length, changed: [...groups.values()] }
}

interface Asked {
  readonly params: { pk: string }
  readonly body: Static<typeof ManyLabelsBody> | null | undefined
  readonly caller: Caller
  readonly validationError?: unknown
}

export const manyLabelRoutes: Room = async (app, { db, clock }) => {
  const change = async (
    { params, body, caller, validationError }: Asked,
    run: (tx: Db, many: ManyTags) => Promise<TagChange[]>,
  ) => {
    const { form } = await seenForm(db, caller, params.pk)
    if (!form.access.may('change')) throw forbidden()
    const given = body?.instance_ids
    if (given === undefined || given === null || given === '') throw noIds()
    const ids = idsIn(given)
    const tags = tagsIn(body?.tags)
    const fault = tagsFault(tags)
    throwFaults({
      ...faultsFrom(validationError),
      ...(fault !== undefined && { tags: [fault] }),
      ...(ids.length > mostLabelled && { instance_ids: [`At most ${mostLabelled} records can be labelled at once.`] }),
    })
    const many = { formId: form.id, ids, submittedBy: ownOnly(form, caller), tags, now: clock.now() }
    return grouped(await db.transaction((tx) => run(tx, many)))
  }

  app.post(
    '/data/:pk/labels',
    {
      config: { operation: 'data.label.add.many', access: 'user' },
      schema: {
        summary: 'Add labels to many records',
        description:
          'For editors and up. Counts the records that lacked one of them; ids of other forms, of deleted records, and of others for those who change their own alone are passed over. What `changed` holds, sent to `DELETE /data/{pk}/labels`, takes it back.',
        tags: ['data'],
        params: PkParams,
        body: ManyLabelsBody,
        response: { 200: ManyLabels, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
    },
    (request) => change(request, addTagsToMany),
  )

  app.delete(
    '/data/:pk/labels',
    {
      config: { operation: 'data.label.remove.many', access: 'user', queryFillsBody: true },
      schema: {
        summary: 'Remove labels from many records',
        description: 'For editors and up. Counts the records that had one of them.',
        tags: ['data'],
        params: PkParams,
        body: ManyLabelsBody,
        response: { 200: ManyLabels, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
    },
    (request) => change(request, removeTagsFromMany),
  )
}
