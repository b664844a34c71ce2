// Every settings group, in the order of the documentation: one line per room.
import { accountSettings } from './features/account/index.js'
import { backupSettings } from './features/backups/index.js'
import { credentialSettings } from './features/credentials/index.js'
import { dataSettings } from './features/data/index.js'
import { keySettings } from './features/keys/index.js'
import { oauthSettings } from './features/oauth/index.js'
import { openRosaSettings } from './features/openrosa/index.js'
import { profileSettings } from './features/profiles/index.js'
import { projectSettings } from './features/projects/index.js'
import { restServiceSettings } from './features/rest-services/index.js'
import { signInSettings } from './features/sign-in/index.js'
import { webSettings } from './features/web/index.js'
import type { SettingsGroup } from './platform/config/index.js'
import { outboundSettings } from './platform/outbound/index.js'
import { databaseSettings, outsideSettings, processSettings } from './platform/settings.js'

export const allSettings: readonly SettingsGroup[] = [
  processSettings,
  databaseSettings,
  outsideSettings,
  outboundSettings,
  credentialSettings,
  signInSettings,
  oauthSettings,
  accountSettings,
  profileSettings,
  projectSettings,
  openRosaSettings,
  dataSettings,
  restServiceSettings,
  keySettings,
  webSettings,
  backupSettings,
]
