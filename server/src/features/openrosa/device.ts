// What a device says of itself.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import type { FoundKey } from '../keys/index.js'
import type { Device } from '../submissions/index.js'

const { deviceCharacters } = budgets.bodies

/** No sign of it that steers anything. */
const said = (text: unknown): string | null => {
  if (typeof text !== 'string' || text === '') return null
  if (text.length <= deviceCharacters && !/\p{Cc}/u.test(text)) return text
  return [...text.replace(/\p{Cc}/gu, '')].slice(0, deviceCharacters).join('')
}

export const deviceOf = ({ query, headers }: FastifyRequest, key: FoundKey | null): Device => ({
  key,
  id: said((query as { deviceID?: unknown }).deviceID),
  agent: said(headers['user-agent']),
})
