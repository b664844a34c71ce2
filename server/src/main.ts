// The command line. Commands are loaded when they are called, so that help is instant.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { keepNewSpaceNarrow } from './new-space.js'
import { packageFile } from './paths.js'

const program = new Command('sheaf')
  .version(JSON.parse(readFileSync(packageFile, 'utf8')).version, '-v, --version', 'print the version')
  .description('Sheaf collects form data: it receives, keeps, shows and forwards submissions.')
  .addHelpText(
    'after',
    `
Settings are environment variables; docs/configuration.md explains each one.

Examples:
  sheaf                          start the server on http://127.0.0.1:8080
  PORT=9000 sheaf serve          start it on another port
  sheaf user create --operator   make an account of somebody who runs the server; asks for what it needs
  sheaf config                   show the settings in force
  sheaf verify                   see whether everything that is stored agrees
  sheaf backup /mnt/backups      copy the database and the files to a folder

Commands other than serve, migrate and restore work on what a server has made: give them its DATA_DIR (and DATABASE_URL).`,
  )

program
  .command('serve')
  .description('start the server (the default)')
  .action(async () => {
    keepNewSpaceNarrow()
    await (await import('./commands/serve.js')).serveCommand()
  })

program
  .command('migrate')
  .description('bring the database up to this version and end')
  .action(async () => (await import('./commands/migrate.js')).migrateCommand())

program
  .command('verify')
  .description('compare everything that is stored, and tell what differs; changes nothing')
  .option('--files', 'also read every file and compare its hash')
  .option('--json', 'print the result as JSON')
  .action(async (options) => (await import('./commands/verify.js')).verifyCommand(options))

const again = (value: string, before: readonly string[] | undefined): string[] => [...(before ?? []), value]

const backup = program
  .command('backup')
  .description('copy the database and the files to a folder, one file (….tar) or s3://…, while the server runs')
  .argument('<place>', 'folder, file that ends in .tar, or s3:// address')
  .option('--encrypt', 'with a passphrase (BACKUP_PASSPHRASE, or asked for); the secret goes along')
  .option('--with-secret', 'put the secret into a backup that is not encrypted')
  .option('--since <place>', 'leave out what the newest backup in another place holds; restoring needs both')
  .action(async (place, options) => (await import('./commands/backup.js')).backupCommand(place, options))
backup
  .command('list')
  .description('show the backups in a place')
  .argument('<place>', 'folder, file or s3:// address')
  .action(async (place) => (await import('./commands/backup.js')).listBackupsCommand(place))
backup
  .command('check')
  .description('restore a backup into a database that is thrown away, compare all of it, and read every file')
  .argument('<places...>', 'folder, file or s3:// address, and those that the backup rests on')
  .option('--backup <id>', 'one of several; the newest when left out')
  .action(async (places, options) => (await import('./commands/backup.js')).checkBackupCommand(places, options))

program
  .command('restore')
  .description('fill an empty server from a backup; ends with what verify says')
  .requiredOption('--from <place>', 'folder, file or s3:// address; again for each that the backup rests on', again)
  .option('--backup <id>', 'one of several; the newest when left out')
  .option('--keep-files', 'the store of files is the one of the backup, and may hold others')
  .action(async (options) => (await import('./commands/restore.js')).restoreCommand(options))

const user = program.command('user').description('make accounts, set passwords, name operators')
user
  .command('create')
  .description('make an account')
  .option('--username <name>', 'name to sign in with')
  .option('--email <address>', 'e-mail address')
  .option('--first-name <name>', 'first name; the username when left out')
  .option('--last-name <name>', 'last name')
  .option('--password-stdin', 'read the password from standard input instead of asking')
  .option('--no-password', 'without a password: it is set by a reset mail')
  .option('--operator', 'of somebody who runs this server: they see the page /server')
  .action(async (options) => (await import('./commands/user.js')).createUserCommand(options))
user
  .command('password')
  .description('set the password of an account; every token in use ends')
  .argument('<username>', 'name or e-mail address of the account')
  .option('--password-stdin', 'read the password from standard input instead of asking')
  .action(async (name, options) => (await import('./commands/user.js')).setPasswordCommand(name, options))

for (const [verb, words] of [
  ['activate', 'let an account sign in'],
  ['deactivate', 'hide an account and keep it from signing in'],
] as const) {
  user
    .command(verb)
    .description(words)
    .argument('<username>', 'name or e-mail address of the account')
    .action(async (name) => (await import('./commands/user.js')).setActiveCommand(name, verb === 'activate'))
}

user
  .command('operator')
  .description('make somebody an operator, who sees how the server does on the page /server')
  .argument('<username>', 'name or e-mail address of the account')
  .option('--remove', 'they are no operator any more')
  .action(async (name, options) => (await import('./commands/user.js')).setOperatorCommand(name, options))

program
  .command('db')
  .description('the database')
  .command('distribute')
  .description('spread records over the machines of a Citus cluster, by form; tells table by table what it did')
  .option('--dry-run', 'only tell what it would do')
  .option('--shards <number>', 'into so many parts; as many as the database is set up for when left out')
  .action(async (options) => (await import('./commands/distribute.js')).distributeCommand(options))

program
  .command('secret')
  .description('the secret that seals tokens and keys')
  .command('accept')
  .description('keep a secret that was changed; what the former one sealed cannot be read any more')
  .action(async () => (await import('./commands/secret.js')).acceptSecretCommand())

program
  .command('config')
  .description('show the settings in force, or what is wrong with them')
  .action(async () => (await import('./commands/config.js')).configCommand())

/** Errors that a person can act on are told in words, anything else with its stack. By name, because importing the
 * classes would load the database driver for `--help`. */
const expected = new Set([
  'BackupRunning',
  'BackupTooNew',
  'CommandError',
  'ConfigError',
  'Damaged',
  'DatabaseTooNew',
  'DistributionRefused',
  'EmbeddedPostgresError',
  'FilesUrlRefused',
  'NodeRefused',
  'OlderNodes',
  'PlaceRefused',
  'SecretUnreadable',
  'ShapeDiffers',
  'StoreFull',
  'StoreUnavailable',
  'TablesInUse',
  'WorkerFailed',
  'WrongPassphrase',
])

const isExpected = (error: unknown): error is Error =>
  expected.has((error as Error).constructor.name) || (error as NodeJS.ErrnoException).syscall === 'listen'

/** What the store itself says is the half that helps: that nobody listens, or that a key is not known. */
const inWords = ({ message, cause, constructor: { name } }: Error): string =>
  name.startsWith('Store') && cause instanceof Error ? `${message}: ${cause.message}` : message

try {
  // Not commander's own default command: that would take a misspelt one for an argument of `serve`.
  await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve'])
} catch (error) {
  process.stderr.write(`${isExpected(error) ? inWords(error) : (error as Error).stack}\n`)
  process.exitCode = 1
}
