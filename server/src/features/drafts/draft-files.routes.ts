// What a draft is made of: the file that was uploaded, and the XForm that phones get. For those who may see the draft.
import type { Room } from '../../platform/deps.js'
import { Bytes, type Caller, errors, inMedia } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { definitionFor, FormParams, sendSource, sendXForm } from '../forms/index.js'
import { noDraft } from './drafts.errors.js'
import { findDraft, getDraftTexts } from './drafts.queries.js'

const XForm = inMedia(
  Type.Unknown({ description: 'As phones get it.', examples: ['<h:html xmlns:h="http://www.w3.org/1999/xhtml"/>'] }),
  'text/xml',
)

export const draftFileRoutes: Room = async (app, { db, files }) => {
  const draftOf = async (caller: Caller, pk: string) => {
    const form = await definitionFor(db, caller, pk, 'manage')
    const draft = await findDraft(db, form.id)
    if (draft === undefined) throw noDraft()
    return { form, draft }
  }

  app.get(
    '/forms/:pk/draft/spreadsheet',
    {
      config: { operation: 'draft.spreadsheet', access: 'user' },
      schema: {
        summary: 'The spreadsheet that a draft was made from',
        description: 'The header `x-draft-revision` says of which revision it is. 404 where the draft is an XForm.',
        tags: ['drafts'],
        params: FormParams,
        response: { 200: Bytes('The file as it was uploaded.'), ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const { form, draft } = await draftOf(caller, params.pk)
      const source = { key: draft.sourceKey, name: draft.sourceName }
      reply.header('x-draft-revision', draft.revision)
      return sendSource(files, reply, { source, idString: form.idString })
    },
  )

  app.get(
    '/forms/:pk/draft/form',
    {
      config: { operation: 'draft.xform', access: 'user', formats: ['xml'] },
      schema: {
        summary: 'The XForm of a draft',
        tags: ['drafts'],
        params: FormParams,
        response: { 200: XForm, ...errors(400, 401, 403, 404, 406) },
      },
    },
    async ({ params, caller }, reply) => {
      const { draft } = await draftOf(caller, params.pk)
      const texts = await getDraftTexts(db, draft.id)
      if (texts === undefined) throw noDraft()
      return sendXForm(reply, texts.xml) as never
    },
  )
}
