// The settings of a key for ODK Collect: as JSON, as the text of the code, and as its picture.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CollectSettings, encodeSettings } from '../../formats/collect-settings/index.js'
import { codeOf, pngOf, svgOf } from '../../formats/qr/index.js'
import type { Room } from '../../platform/deps.js'
import { absent, errors, forbidden, inMedia } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { KeyParams, managedKey, tokenFor } from '../keys/index.js'
import { chosenIn } from './chosen.js'
import { noCode } from './codes.errors.js'
import { findNameFor } from './codes.queries.js'
import { CollectSettingsView, SettingsQuery } from './codes.schemas.js'
import { settingsOfKey } from './settings-of-key.js'

/** Of one square of the PNG: large enough for a slide, small enough for a mail. */
const pixelsOfSquare = 6

interface Kind {
  readonly type: string
  readonly make: (text: string) => string | Buffer
}

/** By the ending of the address. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ['txt', { type: 'text/plain', make: (text: string) => text }],
  ['svg', { type: 'image/svg+xml', make: (text: string) => svgOf(codeOf(text)) }],
  ['png', { type: 'image/png', make: (text: string) => pngOf(codeOf(text), pixelsOfSquare) }],
])

const FileParams = Type.Object({
  ...KeyParams.properties,
  ending: Type.String({ enum: [...kinds.keys()], description: 'What it is made as.', examples: ['svg'] }),
})

const File = inMedia(
  Type.Unknown({ description: 'The text of the code, or its picture.', examples: ['eNoVzstqwzAQRuF3…'] }),
  ...[...kinds.values()].map(({ type }) => type),
)

const about =
  'A phone that scans it is set up for the forms of the key. The code carries the token: whoever sees it can send. 409 for a key that opens nothing any more.'

export const codeRoutes: Room = async (app, { db, secrets }) => {
  const settingsIn = async (request: FastifyRequest, reply: FastifyReply): Promise<CollectSettings> => {
    const { caller, origin, params, query } = request
    const key = await managedKey(db, caller, (params as { id: string }).id)
    const token = tokenFor(secrets, caller, key)
    if (token === undefined) throw forbidden()
    if (token === null) throw noCode()
    reply.header('cache-control', 'no-store')
    const name = await findNameFor(db, key)
    return settingsOfKey(key, { origin, token, name }, chosenIn(query as Record<string, unknown>))
  }

  app.get(
    '/keys/:id/settings',
    {
      config: { operation: 'key.settings', access: 'user' },
      schema: {
        summary: 'Settings of a key for ODK Collect',
        description: about,
        tags: ['keys'],
        params: KeyParams,
        querystring: SettingsQuery,
        response: { 200: CollectSettingsView, ...errors(400, 401, 403, 404, 409) },
      },
    },
    settingsIn,
  )

  app.get(
    '/keys/:id/settings.:ending',
    {
      config: { operation: 'key.settings_file', access: 'user', formats: [] },
      schema: {
        summary: 'Code of a key, as text or picture',
        description: about,
        tags: ['keys'],
        params: FileParams,
        querystring: SettingsQuery,
        response: { 200: File, ...errors(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const kind = kinds.get(request.params.ending)
      if (kind === undefined) throw absent()
      return reply.type(kind.type).send(kind.make(encodeSettings(await settingsIn(request, reply))))
    },
  )
}
