export { decodeSettings, encodeSettings } from './encoding.js'
export { adminSwitches, generalChoices, generalSwitches } from './known-settings.js'
export { type ChosenSettings, type CollectSettings, type SettingsSubject, settingsFor } from './settings.js'
