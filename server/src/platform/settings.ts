// Settings of the process itself. Each room declares its own beside its code; `settings.ts` at the top lists them all.
import { budgets } from '../budgets.js'
import { type Config, defineSettings, setting } from './config/index.js'
import { parseFilesUrl } from './files/index.js'
import { checkSmtpUrl, parseSender } from './mail/index.js'
import { logFormats, logLevels } from './telemetry/index.js'
import { type MayLeadTo, redirectTargets } from './words/index.js'

const mustBeLong = (value: string): void => {
  if (value.length < 16) throw new Error('it has fewer than 16 characters; `openssl rand -hex 32` makes a good one')
}

const mustBePostgres = (value: string): void => {
  if (!/^postgres(ql)?:\/\/./.test(value)) throw new Error('it begins with postgres://')
}

/** Behind a comma an address begins: passwords may hold commas. */
export const replicaAddresses = (value: string): string[] =>
  value.split(/,\s*(?=postgres(?:ql)?:\/\/)/).map((address) => address.trim())

const mustBeReplicas = (value: string): void => {
  for (const address of replicaAddresses(value)) mustBePostgres(address)
}

export const processSettings = defineSettings('The process', {
  host: setting.text('HOST', { default: '127.0.0.1', doc: 'Address to listen on; `0.0.0.0` for every interface.' }),
  port: setting.integer('PORT', { default: 8080, min: 0, max: 65_535, doc: 'Port to listen on; 0 takes a free one.' }),
  baseUrl: setting.optionalWebAddress('BASE_URL', {
    doc: 'The address people use, e.g. `https://data.example.org`. Absolute addresses in answers and mails begin with it. Without it, answers follow the request, and links in mails lead to http://HOST:PORT, which only this machine may reach.',
  }),
  dataDir: setting.text('DATA_DIR', {
    default: './data',
    doc: 'Folder of everything the server keeps on disk: its own PostgreSQL, files, outbox, secret.',
  }),
  roles: setting.choices('ROLES', ['web', 'jobs'], {
    default: ['web', 'jobs'],
    doc: 'What this process does: answer requests, run background jobs, or both.',
  }),
  workers: setting.integer('WORKERS', {
    default: 1,
    min: 1,
    max: 64,
    doc: 'Processes that answer requests, behind one port. With more than one, another process beside them keeps the built-in database and runs the jobs. For machines with cores to spare: receiving shares its statements within a process.',
  }),
  logLevel: setting.choice('LOG_LEVEL', logLevels, { default: 'info', doc: 'Least severity that is logged.' }),
  logFormat: setting.choice('LOG_FORMAT', logFormats, {
    default: 'auto',
    doc: 'Lines of the log: `json` for programs, `pretty` for people. `auto` is `pretty` on a terminal and `json` elsewhere.',
  }),
  secretKey: setting.optionalFormat('SECRET_KEY', 'text of at least 16 characters', {
    check: mustBeLong,
    isSecret: true,
    doc: 'Secret that seals tokens. Without it one is made and kept in DATA_DIR/secret.key; several nodes need the same one.',
  }),
  trustProxy: setting.networks('TRUST_PROXY', {
    default: [],
    doc: 'Addresses or networks of reverse proxies whose X-Forwarded-For, -Proto and -Host are believed, e.g. `127.0.0.1,10.0.0.0/8`, or `loopback`.',
  }),
  requestsPerMinute: setting.integer('THROTTLE_RATE', {
    default: 0,
    min: 0,
    max: 1_000_000,
    doc: 'Requests a minute that one address may send to one process; 0 is no limit. Several WORKERS, and several nodes, each count for themselves; what protects accounts is counted in the database.',
  }),
  requestsAtOnce: setting.integer('REQUESTS_AT_ONCE', {
    default: 200,
    min: 1,
    max: 100_000,
    doc: 'Requests that one process works on at once, beside submissions; what comes beyond them gets 503 with Retry-After.',
  }),
  submissionsAtOnce: setting.integer('SUBMISSIONS_AT_ONCE', {
    default: 500,
    min: 1,
    max: 100_000,
    doc: 'Submissions that one process takes in at once; what comes beyond them gets 503 with Retry-After. Those that arrive slowly do not count before they are there.',
  }),
  metricsPort: setting.optionalInteger('METRICS_PORT', {
    min: 0,
    max: 65_535,
    doc: 'A port of its own for /metrics, on HOST. Without it /metrics answers on PORT, to this machine only.',
  }),
  allowedRedirectHosts: setting.hosts('ALLOWED_REDIRECT_HOSTS', {
    default: [],
    doc: 'Hosts that `reset_url` and `redirect_url` may lead to, with or without a port. Without it, the host of BASE_URL (or HOST) and loopback; anything else is 400.',
  }),
})

export const databaseSettings = defineSettings('The database', {
  databaseUrl: setting.optionalFormat('DATABASE_URL', 'postgres:// address', {
    check: mustBePostgres,
    isSecret: true,
    doc: 'PostgreSQL 15 to 18 to use, e.g. `postgres://user:password@host/name`. Without it the server runs a PostgreSQL of its own in DATA_DIR/postgres.',
  }),
  replicaUrl: setting.optionalFormat('DATABASE_REPLICA_URL', 'postgres:// addresses', {
    check: mustBeReplicas,
    isSecret: true,
    doc: 'Streaming replicas of DATABASE_URL, with commas between them: lists, exports and charts are read from one that has everything, and from DATABASE_URL while none has.',
  }),
  poolSize: setting.integer('DATABASE_POOL_SIZE', {
    default: 10,
    min: 2,
    max: 200,
    doc: 'Most connections of one process, beside those for receiving, half as many for lists and exports while they are read, and six for jobs.',
  }),
  receivingPoolSize: setting.integer('DATABASE_RECEIVING_POOL_SIZE', {
    default: 4,
    min: 1,
    max: 200,
    doc: 'Most connections that only receiving submissions uses: whoever reads much cannot take them away.',
  }),
  statementSeconds: setting.integer('DATABASE_STATEMENT_SECONDS', {
    default: budgets.database.statementSeconds,
    min: 1,
    max: 86_400,
    doc: 'Longest time that the database works on one question of a request; then it is refused with 503.',
  }),
  streamSeconds: setting.integer('DATABASE_STREAM_SECONDS', {
    default: budgets.database.streamSeconds,
    min: 1,
    max: 86_400,
    doc: 'Longest time that one list or export may take to be read. Slower readers ask for an export in the background, and fetch its file.',
  }),
})

export const outsideSettings = defineSettings('Files and mail', {
  filesUrl: setting.optionalFormat('FILES_URL', 'folder or s3:// address', {
    check: parseFilesUrl,
    isSecret: true,
    doc: 'Where files are kept: a folder, or `s3://KEY:SECRET@host/bucket?region=…`. Without it DATA_DIR/files. Several nodes need the same: S3, or a folder that all of them share.',
  }),
  smtpUrl: setting.optionalFormat('SMTP_URL', 'smtp:// or smtps:// address', {
    check: checkSmtpUrl,
    isSecret: true,
    doc: 'Mail server, e.g. `smtps://user:password@mail.example.org`. Without it every mail is written as a file to DATA_DIR/outbox. With `smtp://` a password is sent to another machine only after STARTTLS; `?requireTLS=false` sends it in the clear.',
  }),
  mailFrom: setting.format('MAIL_FROM', 'mail address, with or without a name', {
    check: parseSender,
    default: 'Sheaf <noreply@localhost>',
    doc: 'Sender of every mail.',
  }),
})

/** Scheme and host of addresses in mails. Never what a request said: a forged Host header would lead the reader, and the
 * key in the link, to a stranger. `boundPort` is the port in use when PORT is 0. */
export const publicOrigin = (config: Config, boundPort: number | undefined): string => {
  const { baseUrl, host, port } = config.of(processSettings)
  const isEveryInterface = host === '0.0.0.0' || host === '::'
  return baseUrl ?? `http://${isEveryInterface ? 'localhost' : inAddress(host)}:${boundPort ?? port}`
}

/** Where addresses that callers name may lead to, in mails and redirects. */
export const redirectsOf = (config: Config): MayLeadTo =>
  redirectTargets({
    allowedHosts: config.of(processSettings).allowedRedirectHosts,
    ownAddress: publicOrigin(config, undefined),
  })

/** A host as it stands in an address. */
export const inAddress = (host: string): string => (host.includes(':') ? `[${host}]` : host)
