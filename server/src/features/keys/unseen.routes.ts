// GET /forms/{pk}/unseen_devices: before a form is closed, which phones may still hold records of it.
import { budgets } from '../../budgets.js'
import type { Room } from '../../platform/deps.js'
import { errors } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { definitionFor, FormParams } from '../forms/index.js'
import { UnseenDevice } from './keys.schemas.js'
import { listUnseenDevices } from './unseen.queries.js'

const usualDays = 7
const dayMs = 24 * 60 * 60 * 1000

const UnseenQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: budgets.keys.devicesDays,
      description: `Not seen for so many days; ${usualDays} by default.`,
      examples: [usualDays],
    }),
  ),
})

export const unseenRoutes: Room = async (app, { db, clock }) => {
  app.get(
    '/forms/:pk/unseen_devices',
    {
      config: { operation: 'form.unseen_devices', access: 'user' },
      schema: {
        summary: 'Phones that have not been seen for some days',
        description:
          'For managers and owners, before they close a form: phones that came with a key which opens it, or did once, and that may still hold records. The latest first.',
        tags: ['keys'],
        params: FormParams,
        querystring: UnseenQuery,
        response: {
          200: Type.Array(UnseenDevice, { maxItems: budgets.keys.unseenListed }),
          ...errors(400, 401, 403, 404),
        },
      },
    },
    async ({ params, query, caller }) => {
      const { id: formId } = await definitionFor(db, caller, params.pk, 'manage')
      const since = new Date(clock.now().getTime() - (query.days ?? usualDays) * dayMs)
      const devices = await listUnseenDevices(db, { formId, since, most: budgets.keys.unseenListed })
      return devices.map((device) => ({
        key: device.keyId,
        key_name: device.keyName,
        revoked: device.isRevoked,
        device_id: device.deviceId,
        agent: device.agent,
        last_seen: device.lastSeen.toISOString(),
        last_submission: device.lastSubmission?.toISOString() ?? null,
        submissions: device.submissions,
      }))
    },
  )
}
