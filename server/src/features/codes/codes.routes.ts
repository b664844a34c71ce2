// The settings of a key for ODK Collect: as JSON, as the text of the code, and as its picture.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CollectSettings, encodeSettings } from '../../formats/collect-settings/index.js'
import { codeOf, pngOf, svgOf } from '../../formats/qr/index.js'
import type { Room } from '../../platform/deps.js'
import { Bytes, errors, forbidden } from '../../platform/http/index.js'
import { KeyParams, managedKey, tokenFor } from '../keys/index.js'
import { chosenIn } from './chosen.js'
import { noCode } from './codes.errors.js'
import { findNameFor } from './codes.queries.js'
import { CollectSettingsView, SettingsQuery } from './codes.schemas.js'
import { settingsOfKey } from './settings-of-key.js'

/** Of one square of the PNG: large enough for a slide, small enough for a mail. */
const pixelsOfSquare = 6

interface Kind {
  readonly ending: 'txt' | 'svg' | 'png'
  readonly type: string
  readonly summary: string
  readonly make: (text: string) => string | Buffer
}

const kinds: readonly Kind[] = [
  { ending: 'txt', type: 'text/plain', summary: 'Settings of a key, as the text of its code', make: (text) => text },
  { ending: 'svg', type: 'image/svg+xml', summary: 'Code of a key, as SVG', make: (text) => svgOf(codeOf(text)) },
  {
    ending: 'png',
    type: 'image/png',
    summary: 'Code of a key, as PNG',
    make: (text) => pngOf(codeOf(text), pixelsOfSquare),
  },
]

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

  for (const { ending, type, summary, make } of kinds) {
    app.get(
      `/keys/:id/settings.${ending}`,
      {
        config: { operation: `key.settings_${ending}`, access: 'user', formats: [] },
        schema: {
          summary,
          description: about,
          tags: ['keys'],
          params: KeyParams,
          querystring: SettingsQuery,
          response: {
            200: Bytes(summary, type),
            ...errors(400, 401, 403, 404, 409),
          },
        },
      },
      async (request, reply) => reply.type(type).send(make(encodeSettings(await settingsIn(request, reply)))),
    )
  }
}
