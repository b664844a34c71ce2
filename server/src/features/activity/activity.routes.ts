// What happened lately: /activity over all projects of the caller, /projects/{pk}/activity and /projects/{pk}/events of one,
// /orgs/{org}/usage by month. Each is one request however many projects and forms there are.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import { grouped } from '../../platform/db/index.js'
import type { Room } from '../../platform/deps.js'
import { errors, forbidden, readerOf, sharingReaderOf } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { OrganizationParams, organizationFor } from '../organizations/index.js'
import { ProjectParams, visibleProject } from '../projects/index.js'
import { byDay, keptForAMinute, partsOf, wholeNumber, windowOf } from './activity.js'
import {
  type Attention,
  countAttention,
  countByDay,
  countByMonth,
  type DayCount,
  listRecentForms,
  listSeenForms,
  type SeenForm,
} from './activity.queries.js'
import {
  ActivityQuery,
  ActivityView,
  ProjectActivityView,
  ProjectEventsQuery,
  ProjectEventView,
  UsageQuery,
  UsageView,
} from './activity.schemas.js'
import { listProjectEvents } from './project-events.queries.js'

const mostRecentForms = 8
/** Ids of events are counted up; nobody has reached this one. */
const afterAll = Number.MAX_SAFE_INTEGER

const sumOf = (of: readonly Attention[], what: 'waiting' | 'paused'): number =>
  of.reduce((sum, one) => sum + one[what], 0)

export const activityRoutes: Room = async (app, deps) => {
  const { db, clock } = deps
  const keptCounts = keptForAMinute<DayCount[]>(clock)
  const keptMonths = keptForAMinute<{ month: string; count: number }[]>(clock)

  /** The forms are read anew each time, so that a role that was taken away counts at once. */
  const activityOf = async (
    request: FastifyRequest,
    query: { days?: string; utc_offset?: string },
    projectId?: number,
  ) => {
    const days = wholeNumber(query.days, { name: 'days', least: 1, most: 92, usual: 30 })
    const offset = wholeNumber(query.utc_offset, { name: 'utc_offset', least: -840, most: 840, usual: 0 })
    const { firstDay, ...window } = windowOf(clock.now(), days, offset)
    const callerId = request.caller.id
    const forms = await listSeenForms(db, callerId, projectId)
    const parts = partsOf(forms)
    const about = ['days', parts, window, parts.ownIds.length > 0 && callerId]
    const reading = db.readBy(sharingReaderOf(request))
    const [counts, attention] = await Promise.all([
      keptCounts(about, () => countByDay(reading, { callerId, ...parts }, window)),
      countAttention(
        db,
        forms.filter(({ isManaged }) => isManaged).map(({ id }) => id),
      ),
    ])
    return { days, firstDay, forms, counts, attention }
  }

  app.get(
    '/activity',
    {
      config: { operation: 'activity.get', access: 'user' },
      schema: {
        summary: 'What happened lately in the caller’s projects',
        description:
          'Of each project on whose forms the caller has a role that sees records: how many of the records that they see came in, day by day, and what waits for them. Counts of records are up to a minute old.',
        tags: ['projects'],
        querystring: ActivityQuery,
        response: { 200: ActivityView, ...errors(400, 401) },
      },
    },
    async (request) => {
      const { days, firstDay, forms, counts, attention } = await activityOf(request, request.query)
      const projectOf = new Map(forms.map(({ id, projectId }) => [id, projectId]))
      const lines = byDay(counts, days, (formId) => projectOf.get(formId) ?? 0)
      const recent = await listRecentForms(
        db,
        forms.map(({ id }) => id),
        mostRecentForms,
      )
      const attentionOf = grouped(attention, ({ formId }) => projectOf.get(formId) ?? 0)
      return {
        first_day: firstDay,
        projects: [...new Set(projectOf.values())].map((projectId) => ({
          projectid: projectId,
          submissions: [...(lines.get(projectId) ?? Array<number>(days).fill(0))],
          waiting: sumOf(attentionOf.get(projectId) ?? [], 'waiting'),
          paused_services: sumOf(attentionOf.get(projectId) ?? [], 'paused'),
        })),
        recent_forms: recent.map(({ id, title, projectId, project, at }) => ({
          formid: id,
          title,
          projectid: projectId,
          project,
          last_event_time: at.toISOString(),
        })),
      }
    },
  )

  app.get(
    '/projects/:pk/activity',
    {
      config: { operation: 'project.activity', access: 'user' },
      schema: {
        summary: 'What happened lately in the forms of a project',
        description:
          'Of each form whose records the caller sees by a role: how many of these came in, day by day, and what waits for them. Counts of records are up to a minute old.',
        tags: ['projects'],
        params: ProjectParams,
        querystring: ActivityQuery,
        response: { 200: ProjectActivityView, ...errors(400, 401, 404) },
      },
    },
    async (request) => {
      const { id } = await visibleProject(db, request.caller, request.params.pk)
      const { days, firstDay, forms, counts, attention } = await activityOf(request, request.query, id)
      const lines = byDay(counts, days, (formId) => formId)
      const attentionOf = new Map(attention.map((one) => [one.formId, one]))
      const view = ({ id: formid, isWhole }: SeenForm) => ({
        formid,
        own_only: !isWhole,
        submissions: [...(lines.get(formid) ?? Array<number>(days).fill(0))],
        waiting: attentionOf.get(formid)?.waiting ?? 0,
        paused_services: attentionOf.get(formid)?.paused ?? 0,
      })
      return { first_day: firstDay, forms: forms.map(view) }
    },
  )

  app.get(
    '/projects/:pk/events',
    {
      config: { operation: 'project.event.list', access: 'user' },
      schema: {
        summary: 'What happened to a project and to its forms',
        description: `The events of the project, and of its forms on which the caller has a role, newest first. Of forms in which the caller sees their own records alone, what happened to these: for one answer, the last ${budgets.events.lookedThrough} events of each such form are looked through, or its part of ${budgets.events.lookedThroughInAll} where there are many. The next ones are those \`before\` the last id. For those who have a role on the project.`,
        tags: ['messaging'],
        params: ProjectParams,
        querystring: ProjectEventsQuery,
        response: { 200: Type.Array(ProjectEventView), ...errors(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { params, query, caller } = request
      const { id, access } = await visibleProject(db, caller, params.pk)
      if (!access.may('view')) throw forbidden()
      const limit = wholeNumber(query.page_size, { name: 'page_size', least: 1, most: 100, usual: 50 })
      const before = query.before ? Number(query.before) : afterAll
      const events = await listProjectEvents(db.readBy(readerOf(request)), {
        projectId: id,
        callerId: caller.id,
        before,
        limit,
      })
      return events.map(({ id: eventId, verb, formId, form, ids, message, username, createdAt }) => ({
        id: eventId,
        verb,
        formid: formId,
        form,
        ids: [...(ids ?? [])],
        message,
        user: username,
        timestamp: createdAt.toISOString(),
      }))
    },
  )

  app.get(
    '/orgs/:org/usage',
    {
      config: { operation: 'organization.usage', access: 'user' },
      schema: {
        summary: 'Records that an organization received, by month',
        description: 'For its owners. Up to a minute old.',
        tags: ['organizations'],
        params: OrganizationParams,
        querystring: UsageQuery,
        response: { 200: UsageView, ...errors(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { params, query, caller } = request
      const { id } = await organizationFor(db, caller.id, params.org, 'change')
      const months = wholeNumber(query.months, { name: 'months', least: 1, most: 36, usual: 12 })
      const now = clock.now()
      const monthAt = (place: number) =>
        new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1 + place))
      const reading = db.readBy(sharingReaderOf(request))
      const from = monthAt(0)
      const counts = await keptMonths(['months', id, from], () => countByMonth(reading, id, from))
      const countOf = new Map(counts.map(({ month, count }) => [month, count]))
      return {
        months: Array.from({ length: months }, (_, place) => monthAt(place).toISOString().slice(0, 7)).map((month) => ({
          month,
          submissions: countOf.get(month) ?? 0,
        })),
      }
    },
  )
}
