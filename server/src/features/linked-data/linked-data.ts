// Records of other forms as files of a form. Who linked them manages the other form, and hands all of them on to everybody
// who has a role on this one, for as long as they do. Where nobody is asked to sign in, a link is no way around the roles
// of the other form: whoever has none here gets its records only where they are public.
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { absent, mediaTypes, notFound, sendContent } from '../../platform/http/index.js'
import { processSettings } from '../../platform/settings.js'
import { changeBound, type DataPart, fileOf, fileTypeOf, placesOf, readList, type SeenForm } from '../data/index.js'
import { partOfDataview } from '../dataviews/index.js'
import { findDataview, findForm, type Link, linkIn, type Metadata, withAccess } from '../forms/index.js'
import { listSourceStates } from './linked-data.queries.js'
import { findAnnounced, type MadeFile } from './linked-files.queries.js'
import { linkedFile } from './making.js'

export interface LinkedFile {
  readonly filename: string
  readonly format: Link['format']
  /** Of the bytes that are served. */
  readonly hash: string
  /** Behind the address of the file: which of its states is meant. */
  readonly query: string
}

export interface LinkedFiles {
  /** By the id of the entry; entries that are no links, those whose source is gone or no longer handed on, and those of which no
   * file can be made are left out. */
  readonly files: ReadonlyMap<number, LinkedFile>
  /** There are more for those who have a role. */
  readonly isPart: boolean
}

interface SeenLink {
  readonly entry: Metadata
  readonly link: Link
  /** Another one when what is in it may have changed. */
  readonly state: string
}

/** `hasRole`: on what the entries hang on. */
const seenLinks = async ({ db }: Deps, entries: readonly Metadata[], hasRole: boolean) => {
  const links = entries.flatMap((entry) => {
    const link = entry.fileKey === null ? linkIn(entry.dataValue) : undefined
    return link === undefined ? [] : [{ entry, link }]
  })
  if (links.length === 0) return { seen: [], isPart: false }
  const sources = links.map(({ entry, link: { source, id } }) => ({ entryId: entry.id, source, id }))
  // First of all: what is below it can be seen by every statement from now on. A change above it may still have others below.
  const bound = await changeBound(db)
  const held = (await listSourceStates(db, sources)).filter(({ isHeld }) => isHeld)
  const states = new Map(held.filter(({ isPublic }) => hasRole || isPublic).map((one) => [one.entryId, one]))
  const seen = links.flatMap(({ entry, link }): SeenLink[] => {
    const found = states.get(entry.id)
    if (found === undefined) return []
    const known = [entry.dataValue, entry.extra, found.state, found.lastChange > bound ? bound : null]
    return [{ entry, link, state: createHash('sha256').update(JSON.stringify(known)).digest('base64url') }]
  })
  return { seen, isPart: states.size < held.length }
}

/** Undefined for GeoJSON of a form that asks for no places. */
const made = (deps: Deps, { entry, link, state }: SeenLink): Promise<MadeFile | undefined> =>
  linkedFile(deps, { entryId: entry.id, state }, () => contentOf(deps, entry, link))

export const linkedFiles = async (deps: Deps, entries: readonly Metadata[], hasRole: boolean): Promise<LinkedFiles> => {
  const { seen, isPart } = await seenLinks(deps, entries, hasRole)
  const files = new Map<number, LinkedFile>()
  for (const one of seen) {
    const file = await made(deps, one)
    // A phone that finds no file in the list goes on without it.
    if (file === undefined) continue
    const { filename, format } = one.link
    const query = `${format === 'csv' ? `${deviceQuery}&` : '?'}hash=${file.md5}`
    files.set(one.entry.id, { filename, format, hash: `md5:${file.md5}`, query })
  }
  return { files, isPart }
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
const deviceQuery = `?${Object.entries(deviceOptions)
  .map(([name, value]) => `${name}=${value}`)
  .join('&')}`

const textIn = ({ extra }: Metadata, name: string): string | undefined => {
  const value = extra[name]
  return value === undefined || value === null ? undefined : String(value)
}

/** Nobody's alone: whoever asked first may hang up while others wait. */
const contentOf = async (
  given: Deps,
  entry: Metadata,
  link: Link,
): Promise<AsyncIterable<Buffer | string> | undefined> => {
  const deps: Deps = { ...given, db: given.db.readBy({ by: undefined }) }
  const { seen, part } = await sourceOf(deps, link)
  const { format } = link
  if (format === 'csv') {
    // The bytes are the same for everybody, by whatever name they call the server.
    const origin = deps.config.of(processSettings).baseUrl ?? ''
    return (await fileOf(deps, { seen, part, query: deviceOptions, format, origin })).bytes
  }
  const query = {
    title: textIn(entry, 'data_title'),
    simple_style: textIn(entry, 'data_simple_style'),
    geo_field: textIn(entry, 'data_geo_field'),
    fields: textIn(entry, 'data_fields'),
  }
  return placesOf(deps.db, await readList(deps.db, seen, {}, { part }), query)
}

interface Asked {
  readonly entry: Metadata
  /** On what the entry hangs on. */
  readonly hasRole: boolean
  /** As it was announced; without it the present one is sent. */
  readonly md5?: string | undefined
}

const isMd5 = /^[0-9a-f]{32}$/

export const sendLinked = async (deps: Deps, reply: FastifyReply, { entry, hasRole, md5 = '' }: Asked) => {
  const [link] = (await seenLinks(deps, [entry], hasRole)).seen
  if (link === undefined) throw notFound()
  const announced = isMd5.test(md5) ? await findAnnounced(deps.db, entry.id, md5) : undefined
  const file = announced ?? (await made(deps, link))
  if (file === undefined) throw absent()
  const { filename, format } = link.link
  return sendContent(reply.request, reply, {
    name: filename,
    mimetype: format === 'csv' ? fileTypeOf(format) : mediaTypes.geojson,
    tag: `md5:${file.md5}`,
    packableBytes: file.bytes,
    find: async () => ({
      bytes: file.bytes,
      open: async (range) => (await deps.files.get(file.key, range && { range })).stream,
    }),
  })
}
