import type { Room } from '../../platform/deps.js'
import { codeRoutes } from './codes.routes.js'
import { sheetRoutes } from './sheet.routes.js'

export const codes: Room = async (app, deps) => {
  await codeRoutes(app, deps)
  await sheetRoutes(app, deps)
}
