// /server: for operators, who run it. They see how it does and who has an account; being an operator is no right on anybody's
// projects, forms or records. To everybody else there is nothing here.
import type { Deps, Room } from '../../platform/deps.js'
import { type Caller, errors, NoBody, notFound, pageOf, sendLinks, throttled } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { publicOrigin, redirectsOf } from '../../platform/settings.js'
import { accountSettings, requestReset } from '../account/index.js'
import { setActive } from '../credentials/index.js'
import type { HealthOptions } from '../health/index.js'
import { arrivalOf } from '../profiles/index.js'
import { isOperator, pagesOfMails } from '../users/index.js'
import { accountClosed, noAddress, notOneself } from './operations.errors.js'
import {
  OperatedPerson,
  OperatedPersonChange,
  OperatedPersonParams,
  PeopleQuery,
  ResetLink,
  ServerView,
} from './operations.schemas.js'
import { personView } from './operations.views.js'
import { overview } from './overview.js'
import { countPeople, findPersonInPath, listPeople } from './people.queries.js'

const tags = ['server']
const peopleAPage = 50

/** A program that acts for an operator is none: what it was granted says nothing of the server. */
const requireOperator = async ({ db }: Deps, { id, credential }: Caller): Promise<void> => {
  if (credential.kind === 'bearer' || !(await isOperator(db, id))) throw notFound()
}

export interface OperationsOptions extends HealthOptions {
  readonly version: string
}

export const operations =
  (options: OperationsOptions): Room =>
  async (app, deps) => {
    const { db, config, log } = deps
    const server = overview(deps, options)

    const tooManyMails = () => throttled(config.of(accountSettings).resetWindowSeconds)

    const person = async (caller: Caller, pathName: string) => {
      await requireOperator(deps, caller)
      const found = await findPersonInPath(db, pathName)
      if (found === undefined) throw notFound()
      return found
    }

    app.get(
      '/server',
      {
        config: { operation: 'server.get', access: 'user' },
        schema: {
          summary: 'How the server does',
          description: 'For operators (`sheaf user operator`); to everybody else it does not exist.',
          tags,
          response: { 200: ServerView, ...errors(401, 404) },
        },
      },
      async ({ caller }, reply) => {
        await requireOperator(deps, caller)
        return reply.header('cache-control', 'no-store').send(await server.read())
      },
    )

    app.get(
      '/server/people',
      {
        config: { operation: 'server.people.list', access: 'user' },
        schema: {
          summary: 'Who has an account',
          description:
            'For operators: everybody, active or not, by username, in pages; how many there are is in `X-Total-Count`.',
          tags,
          querystring: PeopleQuery,
          response: { 200: Type.Array(OperatedPerson), ...errors(400, 401, 404) },
        },
      },
      async (request, reply) => {
        await requireOperator(deps, request.caller)
        const { search, is_active: isActive, ...paging } = request.query
        const total = await countPeople(db, { search, isActive })
        const page = pageOf(paging, total, peopleAPage)
        sendLinks(request, reply, page)
        const rows = await listPeople(db, { search, isActive }, { offset: page.offset, limit: page.size })
        return reply.header('x-total-count', String(total)).send(rows.map(personView))
      },
    )

    app.patch(
      '/server/people/:username',
      {
        config: { operation: 'server.people.change', access: 'user' },
        schema: {
          summary: 'Close an account, or open it again',
          description: 'For operators. A closed account is hidden with everything that it owns, and cannot sign in.',
          tags,
          params: OperatedPersonParams,
          body: OperatedPersonChange,
          response: { 200: OperatedPerson, ...errors(400, 401, 404) },
        },
      },
      async ({ caller, params, body }) => {
        const { id, username } = await person(caller, params.username)
        if (id === caller.id) throw notOneself()
        await db.transaction((tx) => setActive(tx, id, body.is_active))
        log.info({ operator: caller.username, username, isActive: body.is_active }, 'an operator changed an account')
        return personView(await person(caller, params.username))
      },
    )

    app.post(
      '/server/people/:username/reset',
      {
        config: { operation: 'server.people.reset', access: 'user' },
        schema: {
          summary: 'Send somebody a link to set a new password',
          description: 'For operators. The mail goes to the address of the account; nobody else sees the link.',
          tags,
          params: OperatedPersonParams,
          body: ResetLink(redirectsOf(config)),
          response: { 204: NoBody, ...errors(400, 401, 404, 409, 429) },
        },
      },
      async (request, reply) => {
        const { caller, params, body } = request
        const { username, email, isActive } = await person(caller, params.username)
        if (!isActive) throw accountClosed(username)
        if (email === null) throw noAddress(username)
        const ownPage = `${publicOrigin(config, arrivalOf(request).port)}${pagesOfMails.reset}`
        if (!(await requestReset(deps, { email, reset_url: body.reset_url ?? ownPage }))) throw tooManyMails()
        log.info({ operator: caller.username, username }, 'an operator sent a reset link')
        return reply.code(204).send(null)
      },
    )
  }
