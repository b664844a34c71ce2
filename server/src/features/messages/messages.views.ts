import type { Static } from '../../platform/schema/index.js'
import type { Event } from '../messaging/index.js'
import type { EventView } from './messages.schemas.js'

/** As clients of this API family write it: a blank after every colon and comma. */
const idsText = (ids: readonly number[]): string => `{"id": [${ids.join(', ')}]}`

export const eventView = ({
  id,
  verb,
  ids,
  message,
  username,
  deviceKey,
  createdAt,
}: Event): Static<typeof EventView> => ({
  id,
  verb,
  message: message ?? idsText(ids ?? []),
  user: username,
  ...(typeof deviceKey === 'string' && { device_key: deviceKey }),
  timestamp: createdAt.toISOString().replace('Z', '+00:00'),
})
