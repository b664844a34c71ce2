// sheaf backup PLACE | list PLACE | check PLACE
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { openDatabaseBriefly } from '../database.js'
import { dataFolder, openDeps } from '../deps.js'
import {
  type BackedUp,
  Backup,
  backUp,
  backupSettings,
  type Checked,
  checkBackup,
  type Manifest,
  readBackups,
  recordBackup,
} from '../features/backups/index.js'
import { isDistributed } from '../features/distribution/index.js'
import { migrationsFolder, packageFile } from '../paths.js'
import { type Config, environment, loadConfig } from '../platform/config/index.js'
import { fitOfDatabase } from '../platform/db/index.js'
import type { Deps } from '../platform/deps.js'
import { findSecret } from '../platform/secrets/index.js'
import { processSettings } from '../platform/settings.js'
import { openLog } from '../platform/telemetry/index.js'
import { nameOfPlace } from '../platform/vault/index.js'
import { allSettings } from '../settings.js'
import { CommandError, print, readConfig, withDeps } from './command.js'
import { inBytes, watching } from './progress.js'
import { readPassphrase } from './prompt.js'
import { throwAwayFolder } from './throw-away.js'
import { verificationText } from './verify.js'

export const passphraseOf =
  (config: Config, isNew = false) =>
  async (): Promise<string | undefined> =>
    config.of(backupSettings).backupPassphrase ?? (await readPassphrase(isNew))

interface BackupOptions {
  encrypt?: boolean
  withSecret?: boolean
  since?: string
}

const number = (value: number): string => value.toLocaleString('en')

const program: string = JSON.parse(readFileSync(packageFile, 'utf8')).version

export const backupCommand = (url: string, options: BackupOptions): Promise<void> =>
  withDeps(async (deps) => {
    const { config, db } = deps
    if ((await fitOfDatabase(db.pool, migrationsFolder)) !== 'fits') {
      throw new CommandError('The database is not of this version: run `sheaf migrate`, then back up.')
    }
    if (await isDistributed(db)) {
      process.stderr.write(
        'Records lie on several machines (Citus), and each is read at its own moment: a backup that is taken while submissions arrive may not agree with itself. docs/citus.md says what to do.\n',
      )
    }
    const seals = options.encrypt === true
    const hasSecret = seals || options.withSecret === true
    const begun = performance.now()
    const { progress, done } = watching()
    const made = await backUp(deps, {
      url,
      since: options.since,
      seals,
      passphrase: passphraseOf(config, true),
      secret: hasSecret ? (config.of(processSettings).secretKey ?? (await findSecret(dataFolder(config)))) : undefined,
      program,
      by: 'hand',
      progress,
    }).finally(done)
    const { manifest, rows, written } = made
    await remember(deps, made)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    print(
      `Backup ${manifest.id} in ${nameOfPlace(url)}: ${number(rows)} rows of ${manifest.tables.length} tables and ${number(manifest.files.rows)} files (${inBytes(manifest.files.bytes)}), in ${seconds} s.
Written: ${inBytes(written.bytes)}${written.bytes === 0 ? ', since everything was there already' : ''}; ${number(written.files)} files.
${contentsOf(manifest, seals)}${lossesOf(manifest)}`,
    )
  })

/** For operators, on the page of the server. */
const remember = async ({ db }: Deps, made: BackedUp): Promise<void> => {
  await recordBackup(db, made).catch((error: Error) => {
    process.stderr.write(`That it ran could not be written down: ${error.message}\n`)
  })
}

const contentsOf = ({ secret, needs }: Manifest, seals: boolean): string => {
  const secrecy = seals
    ? 'It is encrypted, and holds the secret of the installation. Without the passphrase nobody can read it.\n'
    : `It is not encrypted: it holds everybody's answers, addresses and password hashes${secret === null ? '' : ', and the secret that opens tokens'}.\n${secret === null ? 'The secret (SECRET_KEY, or DATA_DIR/secret.key) is not in it: keep that elsewhere.\n' : ''}`
  return needs.length === 0 ? secrecy : `${secrecy}Restoring needs these too: ${needs.join(', ')}.\n`
}

const lossesOf = ({ missing, damaged }: Manifest): string =>
  missing + damaged === 0
    ? ''
    : `WARNING: of the files that the database names, ${number(missing)} were not in the store and ${number(damaged)} were not as they were received. \`sheaf verify --files\` tells more.\n`

/** Where the name does not tell: it follows one whose clock was ahead. */
const madeAtOf = ({ id, madeAt }: Manifest): string =>
  id.startsWith(madeAt.replaceAll(/[-:]/g, '')) || id.startsWith(madeAt.replaceAll(/[-:]|\.\d+/g, ''))
    ? ''
    : `, made at ${madeAt}`

export const listBackupsCommand = async (url: string): Promise<void> => {
  const backups = await readBackups(url, passphraseOf(readConfig()))
  // Of several servers: it was shared before each place said whose it is.
  const isShared = new Set(backups.map(({ installation }) => installation)).size > 1
  const ownerOf = ({ installation }: Manifest) =>
    isShared ? `, of ${installation ?? 'a server that it does not say'}` : ''
  const lines = backups.map((one) => {
    const { id, by, tables, files, needs } = one
    return `${id}  ${by === 'hand' ? 'by hand    ' : 'by schedule'}  ${number(tables.reduce((sum, { rows }) => sum + rows, 0))} rows, ${number(files.rows)} files (${inBytes(files.bytes)})${needs.length === 0 ? '' : `, rests on ${needs.join(', ')}`}${ownerOf(one)}${madeAtOf(one)}\n`
  })
  print(lines.length === 0 ? `There is no backup in ${nameOfPlace(url)}.\n` : lines.join(''))
}

/** In a folder of its own, which goes away: nothing of the server is touched, and none has to be there. */
export const checkBackupCommand = async (
  urls: readonly string[],
  { backup: id }: { backup?: string },
): Promise<void> => {
  const backup = await Backup.open(urls, passphraseOf(readConfig()), id)
  const folder = await throwAwayFolder(tmpdir())
  const { secret } = backup.manifest
  const { DATABASE_URL: _database, FILES_URL: _files, ...rest } = environment
  const config = loadConfig(allSettings, {
    ...rest,
    DATA_DIR: folder,
    SECRET_KEY: secret ?? 'thrown away with the database',
  })
  const log = openLog('warn', process.stderr)
  const { progress, done } = watching()
  const begun = performance.now()
  try {
    const database = await openDatabaseBriefly(config, log, () => undefined)
    try {
      const deps = await openDeps(config, database.db, log)
      const checked = await checkBackup(backup, deps, { migrationsFolder, progress }).finally(async () => {
        done()
        await deps.mail.close()
      })
      print(checkedText(backup.manifest, checked, (performance.now() - begun) / 1000))
      if (checked.differing.length + checked.verification.differences.length > 0) process.exitCode = 1
    } finally {
      await database.close()
    }
  } finally {
    backup.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const checkedText = ({ id }: Manifest, { tables, rows, files, differing, verification }: Checked, seconds: number) =>
  `Restored the backup ${id} into a database that is gone again: ${number(rows)} rows of ${tables} tables, and read ${number(files)} files; every hash was right.
${differing.length === 0 ? 'Every table is what was written.' : `These tables are not what was written: ${differing.join(', ')}.`}
${verificationText(verification, seconds)}`
