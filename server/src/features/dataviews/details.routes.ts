// What a dataview is made of: /dataviews/{pk}/form, form_details and bbox.
import type { Room } from '../../platform/deps.js'
import { errors, readerOf } from '../../platform/http/index.js'
import { DefinitionTree, FormView, formDetail, sendDefinitionTree } from '../forms/index.js'
import { boundsOf } from './dataviews.queries.js'
import { BoundsView, DataviewParams } from './dataviews.schemas.js'
import { seenDataview, visibleDataview } from './dataviews.service.js'
import { hasPlaceColumn } from './dataviews.views.js'

export const dataviewDetailRoutes: Room = async (app, deps) => {
  const { db } = deps

  app.get(
    '/dataviews/:pk/form',
    {
      config: { operation: 'dataview.form', access: 'anyone' },
      schema: {
        summary: 'The definition of the form of a dataview',
        tags: ['dataviews'],
        params: DataviewParams,
        response: {
          200: DefinitionTree,
          ...errors(401, 404),
        },
      },
    },
    async ({ params, caller }, reply) => {
      const { form } = await visibleDataview(db, caller, params.pk)
      return sendDefinitionTree(db, form, reply)
    },
  )

  app.get(
    '/dataviews/:pk/form_details',
    {
      config: { operation: 'dataview.form_details', access: 'anyone' },
      schema: {
        summary: 'The form of a dataview',
        description: 'As `GET /forms/{pk}`.',
        tags: ['dataviews'],
        params: DataviewParams,
        response: { 200: FormView, ...errors(401, 404) },
      },
    },
    async ({ params, caller, origin }) => {
      const { form } = await visibleDataview(db, caller, params.pk)
      return formDetail(deps, origin, caller, String(form.id))
    },
  )

  app.get(
    '/dataviews/:pk/bbox',
    {
      config: { operation: 'dataview.bbox', access: 'anyone' },
      schema: {
        summary: 'Where the records of a dataview are',
        description: 'The box around the places of the records that match; null where a dataview shows none.',
        tags: ['dataviews'],
        params: DataviewParams,
        response: { 200: BoundsView, ...errors(401, 404) },
      },
    },
    async (request) => {
      const found = await seenDataview(db, request.caller, request.params.pk)
      if (!hasPlaceColumn(found.shape, found.columns)) return { bbox: null }
      const { bounds } = await boundsOf(db.reading(readerOf(request), found.seen.form.asOf), found)
      const corners = bounds.filter((one) => one !== null)
      return { bbox: corners.length === 4 ? corners : null }
    },
  )
}
