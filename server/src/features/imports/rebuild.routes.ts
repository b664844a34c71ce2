// POST /forms/{pk}/rebuild: for owners.
import type { Deps } from '../../platform/deps.js'
import { type App, errors } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { FormParams, formFor } from '../forms/index.js'
import { rebuildRecords } from './rebuild.js'

const Options = Type.Object({
  repair: Type.Optional(
    Type.Boolean({ description: 'Store what was derived where it differs. Default false.', examples: [true] }),
  ),
})

const RebuildView = Type.Object(
  {
    records: Type.Integer({ description: 'Records looked at, deleted ones included.' }),
    versions: Type.Integer({ description: 'Former versions of records looked at.' }),
    differences: Type.Array(
      Type.Object({
        id: Type.Integer(),
        history: Type.Optional(Type.Integer({ description: 'Number of a former version, the oldest being 1.' })),
        field: Type.String(),
        stored: Type.Unknown(),
        derived: Type.Unknown(),
      }),
      { description: 'The first hundred.' },
    ),
    different: Type.Integer({ description: 'Records and former versions that differ.' }),
    repaired: Type.Integer(),
  },
  { examples: [{ records: 1200, versions: 31, differences: [], different: 0, repaired: 0 }] },
)

export const rebuildRoutes = async (app: App, deps: Deps): Promise<void> => {
  app.post(
    '/forms/:pk/rebuild',
    {
      config: { operation: 'form.rebuild', access: 'user', queryFillsBody: true },
      schema: {
        summary: 'Derive every record again from its XML',
        description: 'Tells where what is stored differs from what the XML says. For owners.',
        tags: ['forms'],
        params: FormParams,
        querystring: Options,
        body: Options,
        response: { 200: RebuildView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, body, caller }) => {
      const form = await formFor(deps.db, caller, params.pk, 'transfer')
      const { differences, ...counts } = await rebuildRecords(deps, form.id, body.repair === true)
      return { ...counts, differences: [...differences] }
    },
  )
}
