import type { Room } from '../../platform/deps.js'
import { keyJobs } from './keys.jobs.js'
import { keyRoutes } from './keys.routes.js'
import { linkRoutes } from './links.routes.js'
import { unseenRoutes } from './unseen.routes.js'

export { keyAuthenticator } from './door.js'
export {
  type FoundKey,
  findFormOfKey,
  isKeyGood,
  isLinkFull,
  isTrulyEmpty,
  listFormsOfKey,
  listTargetsOfKey,
  type ShownKey,
} from './door.queries.js'
export { deadKey, formNotOfKey } from './keys.errors.js'
export type { DeviceKey, KeyKind } from './keys.queries.js'
export { listKeysOfProject, takeOverKey } from './keys.queries.js'
export { KeyParams } from './keys.schemas.js'
export { managedKey } from './keys.service.js'
export { keySettings } from './keys.settings.js'
export { addressOfKey, tokenFor } from './keys.views.js'
export { stopLapsedDeviceKeys } from './lapsed.js'
export { endKey, type KeyOfForm, type MadeKey, makeKeyOfForm } from './make-key.js'
export { hashOfShown } from './shown-token.js'
export { type Doing, type Sightings, sightingsOf } from './sightings.js'
export { stillOpens } from './still-opens.queries.js'
export { countedByKey, isKeyRunning, openTokens } from './stored.queries.js'

export const keys: Room = async (app, deps) => {
  keyJobs(deps)
  await keyRoutes(app, deps)
  await linkRoutes(app, deps)
  await unseenRoutes(app, deps)
}
