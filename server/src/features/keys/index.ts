import type { Room } from '../../platform/deps.js'
import { keyRoutes } from './keys.routes.js'
import { unseenRoutes } from './unseen.routes.js'

export { type FoundKey, findKeyByToken } from './door.queries.js'
export { deadKey, formNotOfKey } from './keys.errors.js'
export type { DeviceKey, KeyKind } from './keys.queries.js'
export { listKeysOfProject } from './keys.queries.js'
export { KeyParams } from './keys.schemas.js'
export { managedKey } from './keys.service.js'
export { addressOfKey, tokenFor } from './keys.views.js'
export { stopLapsedDeviceKeys } from './lapsed.js'
export { endKey, type KeyOfForm, type MadeKey, makeKeyOfForm } from './make-key.js'

export const keys: Room = async (app, deps) => {
  await keyRoutes(app, deps)
  await unseenRoutes(app, deps)
}
