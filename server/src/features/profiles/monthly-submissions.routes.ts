// /profiles/{username}/monthly_submissions: how many submissions an account's forms received in a month.

import type { Clock, Room } from '../../platform/deps.js'
import { errors, forbidden, readerOf } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { organizationAccess } from '../permissions/index.js'
import { countSubmissions, findRoleIn, listOwnForms } from './monthly-submissions.queries.js'
import { badMonth, badYear } from './profiles.errors.js'
import { getProfile } from './profiles.routes.js'
import { ProfileParams } from './profiles.schemas.js'

/** The month asked for, in UTC; whatever is not given is the current one. */
export const monthOf = (query: { month?: string; year?: string }, clock: Clock): { year: number; month: number } => {
  const { month, year } = query
  if (month !== undefined && !/^(0?[1-9]|1[0-2])$/.test(month)) throw badMonth()
  if (year !== undefined && !/^\d{4}$/.test(year)) throw badYear()
  const now = clock.now()
  return {
    year: year === undefined ? now.getUTCFullYear() : Number(year),
    month: month === undefined ? now.getUTCMonth() + 1 : Number(month),
  }
}

export const monthlySubmissionRoutes: Room = async (app, deps) => {
  app.get(
    '/profiles/:username/monthly_submissions',
    {
      config: { operation: 'profile.monthly_submissions', access: 'user' },
      schema: {
        summary: 'Submissions of a month',
        description:
          'Counts by public and private forms; a kind without submissions is left out. Of an organization, for its owners.',
        tags: ['profiles'],
        params: ProfileParams,
        querystring: Type.Object({
          month: Type.Optional(Type.String({ maxLength: 20, description: '1 to 12.', examples: ['11'] })),
          year: Type.Optional(Type.String({ maxLength: 20, description: 'Four digits.', examples: ['2026'] })),
        }),
        response: {
          200: Type.Object(
            { public: Type.Optional(Type.Integer()), private: Type.Optional(Type.Integer()) },
            { examples: [{ private: 185, public: 41 }] },
          ),
          ...errors(400, 401, 403, 404),
        },
      },
      attachValidation: true,
    },
    async (request) => {
      const { params, query, caller, validationError } = request
      const { id } = await getProfile(deps, params.username)
      const isOwn = id === caller.id || organizationAccess(await findRoleIn(deps.db, id, caller.id)).may('change')
      if (!isOwn) throw forbidden()
      if (validationError) throw validationError
      const { year, month } = monthOf(query, deps.clock)
      const window = { from: new Date(Date.UTC(year, month - 1)), to: new Date(Date.UTC(year, month)) }
      const forms = await listOwnForms(deps.db, id)
      const reading = deps.db.readBy(readerOf(request))
      const countOf = async (isPublic: boolean) => {
        const ids = forms.filter((form) => form.isPublic === isPublic).map((form) => form.id)
        return ids.length === 0 ? 0 : countSubmissions(reading, ids, window)
      }
      const [open, shut] = await Promise.all([countOf(true), countOf(false)])
      return { ...(open > 0 && { public: open }), ...(shut > 0 && { private: shut }) }
    },
  )
}
