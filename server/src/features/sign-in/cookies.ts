// Cookies of this server, on pages and on the addresses of the API alike. The library is loaded where pages register its
// plugin; what is read and written goes through here.
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const isSecure = (request: FastifyRequest): boolean => request.origin.startsWith('https:')

/** `__Host-`: no other host of the domain can set it. Browsers accept it over https only. */
const cookieName = (request: FastifyRequest, name: string): string =>
  isSecure(request) ? `__Host-sheaf-${name}` : `sheaf-${name}`

/** Of two of one name in one answer, browsers keep the later. */
export const keepCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: string,
  maxAge: number,
): void => {
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request), maxAge } as const
  reply.header('set-cookie', fastifyCookie.serialize(cookieName(request, name), value, options))
}

export const dropCookie = (request: FastifyRequest, reply: FastifyReply, name: string): void =>
  keepCookie(request, reply, name, '', 0)

export const readCookie = (request: FastifyRequest, name: string): string | undefined => {
  const { cookie } = request.headers
  return cookie === undefined ? undefined : fastifyCookie.parse(cookie)[cookieName(request, name)]
}
