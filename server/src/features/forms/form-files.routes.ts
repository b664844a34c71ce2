// The files of a form: /forms/{pk}/form.json|xml|xlsx, and its versions.
import type { Room } from '../../platform/deps.js'
import { badRequest, errors, notFound } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { userAddress } from '../profiles/index.js'
import { findModelText, findSource, findVersionNumber, findXml, listVersions } from './form-versions.queries.js'
import { FormParams, VersionParams, VersionView } from './forms.schemas.js'
import { visibleForm } from './forms.service.js'
import { formAddress } from './forms.views.js'

const FileParams = Type.Object({ pk: Type.String({ maxLength: 20 }), ending: Type.String({ maxLength: 10 }) })
const spreadsheets: Readonly<Record<string, string>> = {
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

const Definition = Type.Unknown({ description: 'The form as a tree: title, id, languages, children, choice lists.' })

export const formFileRoutes: Room = async (app, { db, files }) => {
  /** The model with the keys that clients of this API family look for. */
  const definition = async (formId: number, number: number): Promise<object> => {
    const row = await findModelText(db, formId, number)
    if (row === undefined) throw notFound()
    const model = JSON.parse(row.text)
    return {
      type: 'survey',
      name: model.rootName,
      id_string: model.formId,
      default_language: model.defaultLanguage,
      ...model,
    }
  }

  app.get(
    '/forms/:pk/form',
    {
      config: { operation: 'form.file', access: 'anyone', formats: ['json', 'xml', 'csv'] },
      schema: {
        summary: 'The definition of a form',
        description:
          'As a JSON tree, as the XForm (`.xml`), or as the spreadsheet that was uploaded (`.xlsx`, `.xls`, `.csv`).',
        tags: ['forms'],
        params: FormParams,
        response: { 200: Definition, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller, format }, reply) => {
      const form = await visibleForm(db, caller, params.pk)
      if (format === 'json') return definition(form.id, form.versionNumber)
      if (format === 'csv') return sendSource(form, 'csv', reply)
      const found = await findXml(db, form.id, form.versionNumber)
      return sendText(reply, 'text/xml; charset=utf-8', found?.xml ?? '')
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
        response: { 200: Type.Unknown({ description: 'The file as it was uploaded.' }), ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const form = await visibleForm(db, caller, params.pk)
      if (spreadsheets[params.ending] === undefined) {
        throw badRequest(`'${params.ending}' is not a format of a form. Ask for json, xml, xlsx, xls or csv.`)
      }
      return sendSource(form, params.ending, reply)
    },
  )

  const sendSource = async (
    form: { id: number; versionNumber: number; idString: string },
    ending: string,
    reply: import('fastify').FastifyReply,
  ) => {
    const source = await findSource(db, form.id, form.versionNumber)
    if (source === undefined || !source.name.toLowerCase().endsWith(`.${ending}`)) throw notFound()
    const { stream, bytes } = await files.get(source.key)
    return reply
      .type(spreadsheets[ending] ?? 'application/octet-stream')
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename=${form.idString}.${ending}`)
      .send(stream)
  }

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
      const form = await visibleForm(db, caller, params.pk)
      const address = formAddress(origin, form.id)
      return (await listVersions(db, form.id)).map((one) => ({
        xform: address,
        url: `${address}/versions/${encodeURIComponent(one.version)}`,
        xml: `${address}/versions/${encodeURIComponent(one.version)}.xml`,
        created_by: one.createdBy === null ? null : userAddress(origin, one.createdBy),
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
      const form = await visibleForm(db, caller, params.pk)
      const number = await findVersionNumber(db, form.id, params.version)
      if (number === undefined) throw notFound()
      if (format === 'json') return definition(form.id, number)
      return sendText(reply, 'text/xml; charset=utf-8', (await findXml(db, form.id, number))?.xml ?? '')
    },
  )
}

const sendText = (reply: import('fastify').FastifyReply, type: string, text: string) =>
  reply
    .type(type)
    .serializer((body: unknown) => body as string)
    .send(text)
