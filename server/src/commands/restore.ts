// sheaf restore --from PLACE
import { join } from 'node:path'
import { dataFolder, openDeps } from '../deps.js'
import { Backup, FilesNotEmpty, type Manifest, restore } from '../features/backups/index.js'
import { findChangedSecret, secretWarning, verify, withoutSecret } from '../features/verification/index.js'
import { migrationsFolder } from '../paths.js'
import type { Config } from '../platform/config/index.js'
import type { Deps } from '../platform/deps.js'
import { DatabaseNotEmpty } from '../platform/dump/index.js'
import { openFiles } from '../platform/files/index.js'
import { findSecret, keepSecret } from '../platform/secrets/index.js'
import { databaseSettings, outsideSettings, processSettings } from '../platform/settings.js'
import { passphraseOf } from './backup.js'
import { CommandError, print, readConfig, withDatabase } from './command.js'
import { watching } from './progress.js'
import { verificationText } from './verify.js'

interface RestoreOptions {
  from: string[]
  backup?: string
  keepFiles?: boolean
}

export const restoreCommand = async ({ from, backup: id, keepFiles }: RestoreOptions): Promise<void> => {
  const config = readConfig()
  // Before a database is made: a wrong place or passphrase leaves nothing behind.
  const backup = await Backup.open(from, passphraseOf(config), id)
  try {
    await requireSameSecret(config, backup.manifest.secret)
    const { filesUrl } = config.of(outsideSettings)
    const files = await openFiles(filesUrl, { folder: join(dataFolder(config), 'files') })
    try {
      await backup.requireApart(files)
      await withDatabase(async (db, _config, log) => {
        const { progress, done } = watching()
        try {
          await restore(
            backup,
            { db, files, log, migrationsFolder },
            {
              progress,
              keepsFiles: keepFiles === true,
              beforeCommit: () => keepSecretOf(config, backup.manifest.secret),
            },
          ).finally(done)
        } catch (error) {
          throw notEmpty(error, config)
        }
        await tellOutcome(backup.manifest, await openDeps(config, db, log))
      })
    } finally {
      files.close()
    }
  } finally {
    backup.close()
  }
}

/** What was restored, what does not work with it, and whether it agrees with itself. */
const tellOutcome = async (manifest: Manifest, deps: Deps): Promise<void> => {
  print(`Restored the backup ${manifest.id} of ${manifest.madeAt}: every hash was right.\n`)
  const isAhead = Date.parse(manifest.madeAt) > Date.now() + clockSlackMs
  if (isAhead) print(`\nWARNING: ${aheadWarning(manifest.madeAt)}\n\n`)
  try {
    const changed = await findChangedSecret(deps)
    if (changed !== undefined) print(`\nWARNING: ${secretWarning(changed)}\n\n`)
    const begun = performance.now()
    const result = await verify({ ...deps, db: deps.db.background }, { readsFiles: false })
    const told = manifest.secret === null ? withoutSecret(result) : result
    print(verificationText(told, (performance.now() - begun) / 1000))
    if (told.differences.length > 0) process.exitCode = 1
  } finally {
    await deps.mail.close()
    deps.files.close()
  }
}

/** Two machines are never of one mind. */
const clockSlackMs = 5 * 60_000

const aheadWarning = (madeAt: string): string =>
  `${madeAt} is yet to come: the clock of the machine that made this backup was ahead, or that of this one is behind.
There may be a backup that was made later. \`sheaf backup list\` shows what there is; restore another one by --backup ID.`

const ownSecret = async (config: Config): Promise<string | undefined> =>
  config.of(processSettings).secretKey ?? (await findSecret(dataFolder(config)))

const requireSameSecret = async (config: Config, secret: string | null): Promise<void> => {
  const own = await ownSecret(config)
  if (secret === null || own === undefined || own === secret) return
  throw new CommandError(
    `The secret of this server (SECRET_KEY, or secret.key in ${dataFolder(config)}) is not the one in the backup; nothing was changed.
Restore with a DATA_DIR without secret.key and without SECRET_KEY, or with the secret of the server that was backed up.`,
  )
}

const keepSecretOf = async (config: Config, secret: string | null): Promise<void> => {
  if (secret !== null && (await ownSecret(config)) === undefined) await keepSecret(dataFolder(config), secret)
}

const notEmpty = (error: unknown, config: Config): unknown => {
  const isOwn = config.of(databaseSettings).databaseUrl === undefined
  if (error instanceof DatabaseNotEmpty) {
    return new CommandError(
      `The database ${isOwn ? `in ${dataFolder(config)}` : 'of DATABASE_URL'} is not empty; nothing was changed.
Restore into a new one: ${isOwn ? 'set DATA_DIR to a folder that is not there yet' : 'make an empty database and name it in DATABASE_URL'}.`,
    )
  }
  if (error instanceof FilesNotEmpty) {
    return new CommandError(
      `The store of files holds what is not in the backup, such as ${error.message}; nothing was changed.
Name an empty one by FILES_URL. If it is the store that the backup was made of, give --keep-files: others stay as they are.`,
    )
  }
  return error
}
