// Records of other forms as files of a form. Who linked them manages the other form, and hands all of them on to everybody
// who has a role on this one, for as long as they do. Where nobody is asked to sign in, a link is no way around the roles
// of the other form: whoever has none here gets its records only where they are public.
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { notFound, readerOf } from '../../platform/http/index.js'
import { type DataPart, fileOf, fileTypeOf, readList, type SeenForm, sendFile, sendPlaces } from '../data/index.js'
import { partOfDataview } from '../dataviews/index.js'
import { findDataview, findForm, type Link, linkIn, type Metadata, withAccess } from '../forms/index.js'
import { listSourceStates } from './linked-data.queries.js'

export interface LinkedFile {
  readonly filename: string
  readonly format: Link['format']
  /** Another one when what is in it has changed. */
  readonly hash: string
}

export interface LinkedFiles {
  /** By the id of the entry; entries that are no links, and those whose source is gone or no longer handed on, are left
   * out. */
  readonly files: ReadonlyMap<number, LinkedFile>
  /** There are more for those who have a role. */
  readonly isPart: boolean
}

/** `hasRole`: on what the entries hang on. */
export const linkedFiles = async (db: Db, entries: readonly Metadata[], hasRole: boolean): Promise<LinkedFiles> => {
  const links = entries.flatMap((entry) => {
    const link = entry.fileKey === null ? linkIn(entry.dataValue) : undefined
    return link === undefined ? [] : [{ entry, link }]
  })
  if (links.length === 0) return { files: new Map(), isPart: false }
  const sources = links.map(({ entry, link: { source, id } }) => ({ entryId: entry.id, source, id }))
  const held = (await listSourceStates(db, sources)).filter(({ isHeld }) => isHeld)
  const states = new Map(held.filter(({ isPublic }) => hasRole || isPublic).map((one) => [one.entryId, one.state]))
  const files = new Map(
    links.flatMap(({ entry, link }): [number, LinkedFile][] => {
      const state = states.get(entry.id)
      if (state === undefined) return []
      const known = JSON.stringify([entry.dataValue, entry.extra, state])
      const hash = `md5:${createHash('md5').update(known).digest('hex')}`
      return [[entry.id, { filename: link.filename, format: link.format, hash }]]
    }),
  )
  return { files, isPart: states.size < held.length }
}

interface Source {
  readonly seen: SeenForm
  readonly part: DataPart | undefined
}

const nobody = 0

const sourceOf = async ({ db }: Deps, { source, id }: Link): Promise<Source> => {
  const dataview = source === 'dataview' ? await findDataview(db, id) : undefined
  const formId = source === 'dataview' ? dataview?.formId : id
  const form = formId === undefined ? undefined : await findForm(db, nobody, formId)
  if (form === undefined) throw notFound()
  const seen: SeenForm = { form: withAccess(form), sight: 'all', callerId: nobody }
  return { seen, part: dataview === undefined ? undefined : await partOfDataview(db, dataview) }
}

/** Names that expressions in forms can use: no slashes, no brackets. Values as they are stored, and nothing between the names and
 * the first record: a device executes no formulas and knows no tags. */
const deviceOptions = { group_delimiter: '.', repeat_index_tags: '_,_', raw: 'true', include_hxl: 'false' }

/** The same, as they stand in the addresses that devices are given. */
export const deviceQuery = `?${Object.entries(deviceOptions)
  .map(([name, value]) => `${name}=${value}`)
  .join('&')}`

const textIn = ({ extra }: Metadata, name: string): string | undefined => {
  const value = extra[name]
  return value === undefined || value === null ? undefined : String(value)
}

interface Asked {
  readonly origin: string
  readonly entry: Metadata
  /** On what the entry hangs on. */
  readonly hasRole: boolean
}

export const sendLinked = async (given: Deps, reply: FastifyReply, { origin, entry, hasRole }: Asked) => {
  const deps: Deps = { ...given, db: given.db.readBy(readerOf(reply.request)) }
  const link = entry.fileKey === null ? linkIn(entry.dataValue) : undefined
  if (link === undefined) throw notFound()
  const { files } = await linkedFiles(deps.db, [entry], hasRole)
  if (!files.has(entry.id)) throw notFound()
  const { seen, part } = await sourceOf(deps, link)
  const { filename, format } = link
  if (format === 'csv') {
    const file = await fileOf(deps, { seen, part, query: deviceOptions, format, origin })
    return sendFile(reply, { type: fileTypeOf(format), filename }, file)
  }
  const query = {
    title: textIn(entry, 'data_title'),
    simple_style: textIn(entry, 'data_simple_style'),
    geo_field: textIn(entry, 'data_geo_field'),
    fields: textIn(entry, 'data_fields'),
  }
  return sendPlaces(deps.db, reply, { list: await readList(deps.db, seen, {}, { part }), query, filename })
}
