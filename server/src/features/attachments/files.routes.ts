// Files of records: /files/{id}. Read by whoever may read the record; for everybody else they are missing.
import { type Db, largestId } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type App, Bytes, type Caller, errors } from '../../platform/http/index.js'
import { sightOfForm } from '../sight/index.js'
import { fileNotFound } from './attachments.errors.js'
import { type Attachment, findAttachment } from './attachments.queries.js'
import { FileParams, FileQuery } from './attachments.schemas.js'
import type { FileSender } from './send-file.js'

/** The stored name holds the form, without which no file is looked for. */
const formIdOf = (storedName: string): number => {
  const id = Number(/^[^/]+\/attachments\/(\d{1,10})_/.exec(storedName)?.[1] ?? 0)
  return id <= largestId ? id : 0
}

const findByName = async (db: Db, caller: Caller, pk: string, filename: string): Promise<Attachment> => {
  const formId = formIdOf(filename)
  const isPossible = formId > 0 && /^\d{1,15}$/.test(pk)
  const sight = isPossible ? await sightOfForm(db, caller, formId) : undefined
  const file = sight && (await findAttachment(db, sight, Number(pk)))
  if (file === undefined || file.storedName !== filename) throw fileNotFound(filename)
  return file
}

export const fileRoutes = async (app: App, { db }: Deps, sender: FileSender): Promise<void> => {
  app.get(
    '/files/:id',
    {
      config: { operation: 'file.get', access: 'anyone', formats: [] },
      compress: false,
      schema: {
        summary: 'The bytes of a record’s file',
        description:
          'Or a picture of it, with `suffix`. Answers ranges (206, 416) and `If-None-Match` (304). Seen by whoever may see the record.',
        tags: ['attachments'],
        params: FileParams,
        querystring: FileQuery,
        response: {
          200: Bytes('The file, to be saved.'),
          206: Bytes('The range that was asked for.'),
          ...errors(400, 401, 404, 416),
        },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const file = await findByName(db, caller, params.id, query.filename ?? '')
      return query.suffix
        ? sender.sendPicture(request, reply, file, query.suffix)
        : sender.sendOriginal(request, reply, file)
    },
  )
}
