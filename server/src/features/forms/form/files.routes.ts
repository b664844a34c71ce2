// The files of a form: /forms/{pk}/form.json|xml|xlsx, and its versions.
import type { FastifyReply } from 'fastify'
import type { Database } from '../../../platform/db/index.js'
import type { Room } from '../../../platform/deps.js'
import {
  absent,
  Bytes,
  badRequest,
  errors,
  type Format,
  inMedia,
  mediaTypes,
  sendJsonPieces,
} from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { userAddress } from '../../profiles/index.js'
import { isSpreadsheet } from '../compiling/index.js'
import { definitionTree, findSource, findVersionNumber, findXml, formModels, listVersions } from '../versions/index.js'
import { DefinitionTree, FormParams, VersionParams, VersionView } from './form.schemas.js'
import { type FoundForm, visibleDefinition } from './form.service.js'
import { formAddress } from './form.views.js'
import { sendSource, sendXForm, spreadsheets } from './source-file.js'

const FileParams = Type.Object({
  ...FormParams.properties,
  ending: Type.String({ maxLength: 10, description: 'Of the file.', examples: ['xlsx'] }),
})
const isKnown = (ending: string): ending is Format => Object.hasOwn(mediaTypes, ending)

/** An ending that is a format of the whole API is taken off the address before it is routed; the others come as they
 * are. Both lead here. */
const formats: readonly Format[] = ['json', 'xml', ...[...spreadsheets.keys()].filter(isKnown)]

const Definition = inMedia(DefinitionTree, 'application/json', 'text/xml')

const DefinitionOrFile = inMedia(Definition, 'application/json', 'text/xml', '*/*')

/** The form as a tree. */
export const sendDefinitionTree = async (
  db: Database,
  form: FoundForm,
  reply: FastifyReply,
  number = form.versionNumber,
  title = form.title,
): Promise<FastifyReply> => {
  const { model } = await formModels(db).get(db, form.id, number)
  return sendJsonPieces(reply, definitionTree(model, { title, smsIdString: form.smsIdString }))
}

export const formFileRoutes: Room = async (app, { db, files }) => {
  const sendDefinition = async (form: FoundForm, number: number, format: string, reply: FastifyReply) => {
    const stored = await findXml(db, form.id, number)
    if (stored === undefined) throw absent()
    if (format === 'xml') return sendXForm(reply, stored.xml)
    return sendDefinitionTree(db, form, reply, number, stored.title)
  }

  /** The bytes as they were uploaded, under the name that they had: no other format is made of them. */
  const sendSpreadsheet = async (form: FoundForm, wanted: string | undefined, reply: FastifyReply, number: number) => {
    const source = await findSource(db, form.id, number)
    return sendSource(files, reply, { source, wanted, idString: form.idString })
  }

  app.get(
    '/forms/:pk/form',
    {
      config: { operation: 'form.file', access: 'anyone', formats },
      schema: {
        summary: 'The definition of a form',
        description:
          'As a JSON tree, as the XForm (`.xml`), or as the spreadsheet that was uploaded (`.xlsx`, `.xls`, `.csv`).',
        tags: ['forms'],
        params: FormParams,
        response: { 200: DefinitionOrFile, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller, format }, reply) => {
      const form = await visibleDefinition(db, caller, params.pk)
      return spreadsheets.has(format)
        ? sendSpreadsheet(form, format, reply, form.versionNumber)
        : sendDefinition(form, form.versionNumber, format, reply)
    },
  )

  app.get(
    '/forms/:pk/form.:ending',
    {
      config: { operation: 'form.spreadsheet', access: 'anyone' },
      schema: {
        summary: 'The spreadsheet that a form was made from',
        tags: ['forms'],
        params: FileParams,
        response: { 200: Bytes('The file as it was uploaded.'), ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const form = await visibleDefinition(db, caller, params.pk)
      const ending = params.ending.toLowerCase()
      if (spreadsheets.get(ending) === undefined) {
        throw badRequest(`'${params.ending}' is not a format of a form. Ask for json, xml, xlsx, xls or csv.`)
      }
      return sendSpreadsheet(form, ending, reply, form.versionNumber)
    },
  )

  app.get(
    '/forms/:pk/versions',
    {
      config: { operation: 'form.version.list', access: 'anyone' },
      schema: {
        summary: 'Every version of a form',
        tags: ['forms'],
        params: FormParams,
        response: { 200: Type.Array(VersionView), ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller, origin }) => {
      const form = await visibleDefinition(db, caller, params.pk)
      const address = formAddress(origin, form.id)
      return (await listVersions(db, form.id)).map((one) => ({
        xform: address,
        url: `${address}/versions/${encodeURIComponent(one.version)}`,
        xml: `${address}/versions/${encodeURIComponent(one.version)}.xml`,
        spreadsheet:
          one.sourceName !== null && isSpreadsheet(one.sourceName)
            ? `${address}/versions/${encodeURIComponent(one.version)}/spreadsheet`
            : null,
        created_by: one.createdBy === null || !form.access.may('view') ? null : userAddress(origin, one.createdBy),
        version: one.version,
        date_created: one.createdAt.toISOString(),
        date_modified: one.modifiedAt.toISOString(),
      }))
    },
  )

  app.get(
    '/forms/:pk/versions/:version',
    {
      config: { operation: 'form.version.get', access: 'anyone', formats: ['json', 'xml'] },
      schema: {
        summary: 'One version of a form',
        description: 'As a JSON tree, or as the XForm (`.xml`).',
        tags: ['forms'],
        params: VersionParams,
        response: { 200: Definition, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller, format }, reply) => {
      const form = await visibleDefinition(db, caller, params.pk)
      const number = await findVersionNumber(db, form.id, params.version)
      if (number === undefined) throw absent()
      return sendDefinition(form, number, format, reply)
    },
  )

  app.get(
    '/forms/:pk/versions/:version/spreadsheet',
    {
      config: { operation: 'form.version.spreadsheet', access: 'anyone' },
      schema: {
        summary: 'The spreadsheet that a version was made from',
        tags: ['forms'],
        params: VersionParams,
        response: { 200: Bytes('The file as it was uploaded.'), ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const form = await visibleDefinition(db, caller, params.pk)
      const number = await findVersionNumber(db, form.id, params.version)
      if (number === undefined) throw absent()
      return sendSpreadsheet(form, undefined, reply, number)
    },
  )
}
