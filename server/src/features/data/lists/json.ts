// Records as a JSON list: one text where the list is short, else as the database writes it.
import type { Sql } from '../../../platform/db/index.js'
import { recordFields } from '../../submissions/index.js'
import { copyListed, findPageText, jsonList, jsonType, sendStream, sendText, textOf } from '../reading/index.js'
import { fieldsOf, fieldsWithin, type ListRequest, repeatsAround } from '../selection/index.js'
import type { Renderer, Rendering } from './rendering.js'

/** So many records are one text in memory; more are streamed. */
const shortList = 250

const listedText = ({ seen, shape, columns }: ListRequest, query: Rendering['query']): Sql =>
  columns === undefined
    ? textOf(seen.form, fieldsOf(query))
    : recordFields(seen.form, fieldsWithin(shape, columns), repeatsAround(shape))

export const sendJson: Renderer = async ({ db, reply, list, slice, query }) => {
  const text = listedText(list, query)
  const isShort = slice.limit !== null && slice.limit <= shortList
  const records = isShort ? await findPageText(db, slice, text) : undefined
  if (records !== undefined) return sendText(reply, jsonType, `[${records}]`)
  return sendStream(reply, jsonType, jsonList(await copyListed(db, slice, text)))
}
