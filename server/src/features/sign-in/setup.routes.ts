// /accounts/setup: the first account of an installation that has none. It becomes the operator's; then this is closed for good.
import type { Deps } from '../../platform/deps.js'
import { type App, errors, invalid } from '../../platform/http/index.js'
import { limitGuesses } from '../credentials/index.js'
import { registerFirst } from '../profiles/index.js'
import { hasPeople } from '../users/index.js'
import { SetupBody, SetupDone, SetupState } from './setup.schemas.js'
import { isSetupCode } from './setup-code.js'

const wrongCode = () =>
  invalid({ code: ['This is not the code that the server printed when it started. Open the address that it printed.'] })

export const setupRoutes = async (app: App, deps: Deps): Promise<void> => {
  const { db } = deps
  /** Once there is somebody, there is for ever. */
  let isDone = false
  const isNeeded = async (): Promise<boolean> => {
    isDone ||= await hasPeople(db)
    return !isDone
  }

  app.get(
    '/accounts/setup',
    {
      config: { operation: 'setup.state', access: 'anyone' },
      schema: {
        summary: 'Whether the first account is still to be made',
        tags: ['pages'],
        response: { 200: SetupState },
      },
    },
    async () => ({ needed: await isNeeded() }),
  )

  app.post(
    '/accounts/setup',
    {
      config: { operation: 'setup.submit', access: 'anyone' },
      schema: {
        summary: 'Make the first account',
        description:
          'Once, while nobody has an account, with the code that the server prints when it starts. The account is an operator’s, whatever the settings of registration say. 409 when there is an account.',
        tags: ['pages'],
        body: SetupBody,
        response: { 201: SetupDone, ...errors(400, 409, 429) },
      },
    },
    async (request, reply) => {
      const { code = '', ...fields } = request.body ?? {}
      if (await isNeeded()) {
        await limitGuesses(deps, 'setup_guess', request, async () => {
          if (!isSetupCode(deps, String(code))) throw wrongCode()
        })
      }
      return reply.code(201).send({ username: await registerFirst(deps, fields) })
    },
  )
}
