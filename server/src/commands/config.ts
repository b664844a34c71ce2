import { configurationText, environment } from '../platform/config/index.js'
import { allSettings } from '../settings.js'
import { print, readConfig } from './command.js'

export const configCommand = (): void => {
  print(`${configurationText(allSettings, environment)}\n`)
  // After the table, so that the fault can be seen in its place.
  readConfig()
}
