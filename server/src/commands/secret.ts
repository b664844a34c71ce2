// sheaf secret accept

import { migrateAll } from '../database.js'
import { acceptSecret, isSecretOf } from '../platform/secrets/index.js'
import { print, withDeps } from './command.js'

export const acceptSecretCommand = (): Promise<void> =>
  withDeps(async ({ db, secrets, log }) => {
    await migrateAll(db, log)
    if ((await isSecretOf(db, secrets)) === true) {
      print('The secret in force is the one of this database already.\n')
      return
    }
    await acceptSecret(db, secrets)
    print('The secret in force is the one of this database from now on. What another one sealed cannot be read.\n')
  })
