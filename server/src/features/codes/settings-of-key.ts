// The settings that a key's code carries.
import { type ChosenSettings, type CollectSettings, settingsFor } from '../../formats/collect-settings/index.js'
import { addressOfKey, type DeviceKey } from '../keys/index.js'

/** The longest name that a phone shows whole; a long one only makes the code harder to read. */
const longestName = 60

const shortened = (name: string): string => [...name].slice(0, longestName).join('')

/** `name` is that of the project, or of the one form that it is for. */
export const settingsOfKey = (
  { name: keyName, kind }: Pick<DeviceKey, 'name' | 'kind'>,
  { origin, token, name }: { readonly origin: string; readonly token: string; readonly name: string },
  chosen: ChosenSettings,
): CollectSettings =>
  settingsFor(
    {
      address: addressOfKey(origin, token),
      name: shortened(name),
      keyName: shortened(keyName),
      isTest: kind === 'draft',
    },
    chosen,
  )
