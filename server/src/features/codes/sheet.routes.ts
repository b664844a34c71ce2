// The printed page of a project's codes.
import { Readable } from 'node:stream'
import { budgets } from '../../budgets.js'
import type { Room } from '../../platform/deps.js'
import { errors, inMedia } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { listKeysOfProject, tokenFor } from '../keys/index.js'
import { ProjectParams, projectFor } from '../projects/index.js'
import { chosenIn } from './chosen.js'
import { SettingsQuery } from './codes.schemas.js'
import { type SheetKey, sheetOf, sheetPolicy } from './sheet.js'
import { type SheetLanguage, sheetLanguages } from './sheet-words.js'

const pageType = 'text/html; charset=utf-8'

const SheetQuery = Type.Object({
  language: Type.Optional(
    Type.String({ enum: sheetLanguages, default: 'en', description: 'Of the words on the page.', examples: ['fr'] }),
  ),
  ...SettingsQuery.properties,
})

export const sheetRoutes: Room = async (app, { db, secrets, clock }) => {
  app.get(
    '/projects/:pk/keys/sheet',
    {
      config: { operation: 'key.sheet', access: 'user', formats: [] },
      schema: {
        summary: 'Codes of all phones of a project, to be printed',
        description:
          'A page with the code of each key of the kind `device` that works and that the caller may hand out. It carries their tokens.',
        tags: ['keys'],
        params: ProjectParams,
        querystring: SheetQuery,
        response: {
          200: inMedia(Type.Unknown({ description: 'A page.', examples: ['<!doctype html>…'] }), 'text/html'),
          ...errors(400, 401, 403, 404),
        },
      },
    },
    async ({ params, query, caller, origin }, reply) => {
      const project = await projectFor(db, caller, params.pk, 'manage')
      const now = clock.now()
      const found = await listKeysOfProject(db, caller.id, project.id, budgets.keys.devicesListed)
      const keys = found.flatMap((key): SheetKey[] => {
        const isOver = key.expiresAt !== null && key.expiresAt <= now
        if (key.kind !== 'device' || !key.isHeld || key.stoppedAt !== null || isOver) return []
        const token = tokenFor(secrets, caller, key)
        return token === undefined || token === null ? [] : [{ key, token }]
      })
      const { language = 'en', ...settings } = query as { language?: SheetLanguage }
      const sheet = { origin, name: project.name, language, chosen: chosenIn(settings) }
      reply.headers({ 'cache-control': 'no-store', 'content-security-policy': sheetPolicy })
      return reply.type(pageType).send(Readable.from(sheetOf(sheet, keys)))
    },
  )
}
