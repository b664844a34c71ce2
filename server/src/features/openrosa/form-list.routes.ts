// What devices download: the list of forms, each form, and the files that go with it.
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { type App, Bytes, type Caller, errors, inMedia, NoBody } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { type Collecting, listCollectable } from '../forms/index.js'
import { collectableForm } from './collectable.js'
import { idOfFile, sendForm, sendManifest, sendMedia } from './form-files.js'
import { type BaseOf, formListXml, manifestXml, xmlErrors } from './openrosa-xml.js'
import { findScope, type Scope } from './scope.js'
import { openRosaHeaders, PlaceParams, places, sendXml } from './submission.routes.js'

export const ListQuery = Type.Object({
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

export const MediaQuery = Type.Object({
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

export const FormList = Xml(
  'The forms, as the OpenRosa protocol lists them.',
  formListXml(
    [{ ...example, owner: 'ana', idString: 'visit', title: 'Visit', version: '3', description: '', hasMedia: true }],
    () => `${example.origin}/ana`,
  ),
)
export const FormXml = Xml(
  'An XForm.',
  '<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>Visit</h:title><model><instance><data id="visit" version="3"><name/></data></instance></model></h:head><h:body><input ref="/data/name"><label>Name</label></input></h:body></h:html>',
)
export const Manifest = Xml(
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

const collectingOf = (
  caller: Caller,
  scope: Scope,
  { now, idString }: Pick<Collecting, 'now' | 'idString'>,
): Collecting => {
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
    now,
  }
}

const baseIn =
  (origin: string): BaseOf =>
  ({ owner }) =>
    `${origin}/${encodeURIComponent(owner)}`

export const formListRoutes = async (app: App, deps: Deps): Promise<void> => {
  const { db, clock } = deps
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
        const forms = await listCollectable(
          db,
          collectingOf(caller, scope, { idString: query.formID || undefined, now: clock.now() }),
        )
        return sendXml(reply, 200, formListXml(forms, baseIn(origin)))
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
        response: { 200: FormXml, 304: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ caller, params }, reply) =>
      sendForm(db, reply, await collectableForm(db, caller, params.username, params.form)),
  )

  app.get(
    '/:username/xformsManifest/:form',
    {
      config: { ...config, operation: 'openrosa.manifest' },
      schema: {
        summary: 'Files that go with a form',
        tags: ['openrosa'],
        params: FormAddress,
        response: { 200: Manifest, 304: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ caller, params, origin }, reply) => {
      const form = await collectableForm(db, caller, params.username, params.form)
      return sendManifest(deps, reply, {
        form,
        base: baseIn(origin)(form),
        mayBeAsked: caller.isAnonymous,
        hasRole: form.access.may('view'),
      })
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
          ...errors(401, 403, 404),
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const form = await collectableForm(db, caller, params.username, params.form)
      return sendMedia(deps, request, reply, {
        form,
        fileId: idOfFile(params.file),
        md5: request.query.hash,
        hasRole: form.access.may('view'),
      })
    },
  )
}
