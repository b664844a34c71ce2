// Out of a query: what somebody chose for the phone, in the parts that the app keeps it in.
import {
  adminSwitches,
  type ChosenSettings,
  generalChoices,
  generalSwitches,
} from '../../formats/collect-settings/index.js'

const adminNames: ReadonlySet<string> = new Set(adminSwitches)
/** Of what a code carries nothing else is anybody's to choose: an address in a query would print codes that send elsewhere. */
const generalNames: ReadonlySet<string> = new Set(['app_language', ...Object.keys(generalChoices), ...generalSwitches])

export const chosenIn = ({ mode, ...settings }: Readonly<Record<string, unknown>>): ChosenSettings => {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return {
    mode: mode === 'plain' ? 'plain' : 'managed',
    general: Object.fromEntries(given.filter(([name]) => generalNames.has(name))) as ChosenSettings['general'],
    admin: Object.fromEntries(given.filter(([name]) => adminNames.has(name))) as ChosenSettings['admin'],
  }
}
