// Out of a query: what somebody chose for the phone, in the parts that the app keeps it in.
import { adminSwitches, type ChosenSettings } from '../../formats/collect-settings/index.js'

const adminNames: ReadonlySet<string> = new Set(adminSwitches)

export const chosenIn = ({ mode, ...settings }: Readonly<Record<string, unknown>>): ChosenSettings => {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return {
    mode: mode === 'plain' ? 'plain' : 'managed',
    general: Object.fromEntries(given.filter(([name]) => !adminNames.has(name))) as ChosenSettings['general'],
    admin: Object.fromEntries(given.filter(([name]) => adminNames.has(name))) as ChosenSettings['admin'],
  }
}
