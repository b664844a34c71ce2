// People, and what they ask of the public API while a world is made: there, nothing may fail.
import type { Context } from '../part.js'
import { type Answer, type Caller, jsonOf, jsonRequest, password, type Request, textOf } from '../request.js'

export const must = async (context: Context, request: Request): Promise<Answer> => {
  const answer = await context.send(request)
  if (answer.status >= 300 || answer.status === 0) {
    throw new Error(
      `${request.method} ${request.path} answered ${answer.status} while a world was made: ${textOf(answer)}${answer.fault ?? ''}`,
    )
  }
  return answer
}

export const make = async <T>(
  context: Context,
  caller: Caller,
  path: string,
  body: unknown,
  method = 'POST',
): Promise<T> => jsonOf<T>(await must(context, jsonRequest(method, `/api/v1${path}`, caller, body))) as T

export const register = async (context: Context, name: string, extra: object = {}): Promise<Caller> => {
  const fields = { username: name, email: `${name}@example.org`, first_name: name, password, ...extra }
  const registered = await context.send(jsonRequest('POST', '/api/v1/profiles', { name, password: '' }, fields))
  // Whoever makes many accounts over the network is slowed down; a world needs more than a few.
  if (registered.status === 429) context.server.makeAccount(fields)
  else if (registered.status !== 201) throw new Error(`${name} was not registered: ${textOf(registered)}`)
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const user = await must(context, { method: 'GET', path: '/api/v1/user', headers: { authorization } })
  return { name, password, token: jsonOf<{ api_token: string }>(user)?.api_token ?? '' }
}
