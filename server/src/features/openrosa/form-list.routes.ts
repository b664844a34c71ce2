// What devices download: the list of forms, each form, and the files that go with it.
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import {
  type App,
  absent,
  Bytes,
  type Caller,
  errors,
  inMedia,
  NoBody,
  sendContent,
  signInFirst,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { type Collecting, findMetadata, findXml, listCollectable, listMetadata, type Metadata } from '../forms/index.js'
import { linkedFiles, sendLinked } from '../linked-data/index.js'
import { extensionOf } from '../uploads/index.js'
import { collectableForm } from './collectable.js'
import { formListXml, manifestXml, xmlErrors } from './openrosa-xml.js'
import { findScope, type Scope } from './scope.js'
import { openRosaHeaders, PlaceParams, places, sendXml } from './submission.routes.js'

const ListQuery = Type.Object({
  formID: Type.Optional(
    Type.String({ maxLength: budgets.forms.idCharacters, description: 'Only the form with this id.' }),
  ),
})

const FormAddress = Type.Object({
  username: Type.String({ maxLength: 254, description: 'Owner of the form.', examples: ['ana'] }),
  form: Type.String({ maxLength: 20, description: 'Form id.', examples: ['12'] }),
})

const MediaAddress = Type.Object({
  ...FormAddress.properties,
  file: Type.String({ maxLength: 100, description: 'Id of the file, with its ending.', examples: ['5.csv'] }),
})

const MediaQuery = Type.Object({
  hash: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Of a file of records: the md5 that was announced, to get these bytes.',
    }),
  ),
})

const Xml = (description: string, example: string) =>
  inMedia(Type.Unknown({ description, examples: [example] }), 'text/xml')

const example = { origin: 'http://127.0.0.1:8080', id: 12, hash: 'md5:9d9e3f6a2f6b8c1d0e5f4a3b2c1d0e9f' }

const FormList = Xml(
  'The forms, as the OpenRosa protocol lists them.',
  formListXml(example.origin, [
    { ...example, owner: 'ana', idString: 'visit', title: 'Visit', version: '3', description: '', hasMedia: true },
  ]),
)
const FormXml = Xml(
  'An XForm.',
  '<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>Visit</h:title><model><instance><data id="visit" version="3"><name/></data></instance></model></h:head><h:body><input ref="/data/name"><label>Name</label></input></h:body></h:html>',
)
const Manifest = Xml(
  'The files, as the OpenRosa protocol lists them.',
  manifestXml([
    { name: 'people.csv', hash: example.hash, address: `${example.origin}/ana/xformsMedia/${example.id}/5.csv` },
  ]),
)

/** Anonymous callers collect for an account; people see what they may submit to, and what is public. */
const reachOf = (caller: Caller, { account }: Scope): Collecting['reach'] => {
  if (caller.isAnonymous) return 'anonymous'
  if (account === undefined) return 'granted'
  return account.id === caller.id ? 'shared too' : 'public too'
}

const collectingOf = (caller: Caller, scope: Scope, idString: string | undefined): Collecting => {
  const { account, submission } = scope
  const one = submission.kind === 'form' || submission.kind === 'project'
  const reach = reachOf(caller, scope)
  return {
    callerId: caller.id,
    reach: one && reach === 'shared too' ? 'granted' : reach,
    ownerId: account?.id,
    projectId: submission.kind === 'project' ? submission.projectId : undefined,
    formId: submission.kind === 'form' ? submission.formId : undefined,
    idString,
  }
}

const endingOf = ({ dataValue }: Metadata): string => extensionOf(dataValue) || 'bin'

export const formListRoutes = async (app: App, deps: Deps): Promise<void> => {
  const { db, files } = deps
  const config = { access: 'anyone', renderError: xmlErrors } as const

  for (const { path, name, access } of places) {
    app.get(
      `${path}/formList`,
      {
        config: { ...config, access, operation: `openrosa.form_list.${name}` },
        schema: {
          summary: 'Forms that a device may fill in',
          tags: ['openrosa'],
          params: PlaceParams,
          querystring: ListQuery,
          response: { 200: FormList, 304: NoBody, ...errors(400, 401, 404) },
        },
      },
      async (request, reply) => {
        reply.headers(openRosaHeaders)
        const { caller, params, query, origin } = request
        const scope = await findScope(db, caller, params)
        const forms = await listCollectable(db, collectingOf(caller, scope, query.formID || undefined))
        return sendXml(reply, 200, formListXml(origin, forms))
      },
    )
  }

  app.get(
    '/:username/forms/:form/form.xml',
    {
      config: { ...config, operation: 'openrosa.form' },
      schema: {
        summary: 'A form as devices read it',
        tags: ['openrosa'],
        params: FormAddress,
        response: { 200: FormXml, 304: NoBody, ...errors(401, 404) },
      },
    },
    async ({ caller, params }, reply) => {
      reply.headers(openRosaHeaders)
      const form = await collectableForm(db, caller, params.username, params.form)
      const found = await findXml(db, form.id, form.versionNumber)
      return sendXml(reply, 200, found?.xml ?? '')
    },
  )

  app.get(
    '/:username/xformsManifest/:form',
    {
      config: { ...config, operation: 'openrosa.manifest' },
      schema: {
        summary: 'Files that go with a form',
        tags: ['openrosa'],
        params: FormAddress,
        response: { 200: Manifest, 304: NoBody, ...errors(401, 404) },
      },
    },
    async ({ caller, params, origin }, reply) => {
      reply.headers(openRosaHeaders)
      const form = await collectableForm(db, caller, params.username, params.form)
      const media = await listMetadata(db, { formIds: [form.id], dataType: 'media' })
      const base = `${origin}/${encodeURIComponent(form.owner)}/xformsMedia/${form.id}`
      const linked = await linkedFiles(deps, media, form.access.may('view'))
      // A device signs in when it is asked to, and only then: without the file it could not fill in the form.
      if (linked.isPart && caller.isAnonymous) throw signInFirst()
      const entries = media.flatMap((one) => {
        const link = linked.files.get(one.id)
        if (link !== undefined) {
          return [{ name: link.filename, hash: link.hash, address: `${base}/${one.id}.${link.format}${link.query}` }]
        }
        if (one.fileKey === null) return []
        return [{ name: one.dataValue, hash: one.fileHash, address: `${base}/${one.id}.${endingOf(one)}` }]
      })
      return sendXml(reply, 200, manifestXml(entries))
    },
  )

  app.get(
    '/:username/xformsMedia/:form/:file',
    {
      config: { ...config, operation: 'openrosa.media' },
      schema: {
        summary: 'A file that goes with a form',
        tags: ['openrosa'],
        params: MediaAddress,
        querystring: MediaQuery,
        response: {
          200: Bytes('The bytes.'),
          206: Bytes('The range that was asked for.'),
          304: NoBody,
          ...errors(401, 404),
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      reply.headers(openRosaHeaders)
      const form = await collectableForm(db, caller, params.username, params.form)
      const id = /^(\d{1,9})\.[A-Za-z0-9]{1,10}$/.exec(params.file)?.[1]
      const one = id === undefined ? undefined : await findMetadata(db, Number(id))
      if (one?.formId !== form.id || one.dataType !== 'media') throw absent()
      const { fileKey, fileBytes } = one
      if (fileKey === null) {
        const hasRole = form.access.may('view')
        return sendLinked(deps, reply, { entry: one, hasRole, md5: request.query.hash })
      }
      return sendContent(request, reply, {
        name: one.dataValue,
        mimetype: one.fileType,
        tag: one.fileHash,
        packableBytes: fileBytes ?? 0,
        find: async () => ({
          bytes: fileBytes ?? 0,
          open: async (range) => (await files.get(fileKey, range && { range })).stream,
        }),
      })
    },
  )
}
