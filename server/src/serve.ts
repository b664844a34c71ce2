// The server as a process: everything is opened in order, announced, and closed in the opposite order.
import { mkdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { announcement, type Installation, settingWarnings } from './announcement.js'
import { joinDatabase, migrateAll, type OpenDatabase, openDatabase } from './database.js'
import { dataFolder, openDeps } from './deps.js'
import { watchBackups } from './features/backups/index.js'
import { startMetricsServer, watchInstallation } from './features/health/index.js'
import { joinNodes, publishClock } from './features/nodes/index.js'
import { setupCode } from './features/sign-in/index.js'
import { countUsers, hasOperator, hasPeople } from './features/users/index.js'
import { findChangedSecret, secretWarning } from './features/verification/index.js'
import { migrationsFolder, packageFile } from './paths.js'
import type { Config } from './platform/config/index.js'
import { newestMigration } from './platform/db/index.js'
import type { Deps } from './platform/deps.js'
import type { App } from './platform/http/index.js'
import { startJobs } from './platform/jobs/index.js'
import { databaseSettings, outsideSettings, processSettings } from './platform/settings.js'
import { openLog, type RequestLog, watchStalls } from './platform/telemetry/index.js'
import { isWorker, obeyFirst, startWorkers, type Workers } from './workers.js'

export interface RunningServer {
  /** Finishes what is in flight, then closes everything. */
  stop(): Promise<void>
}

/** Longest wait for requests in flight; then they are cut. */
const graceSeconds = 30

type Print = (text: string) => void

/** `onFailure` is called when the server can no longer serve and should be stopped. */
export const serve = (config: Config, print: Print, onFailure: () => void): Promise<RunningServer> =>
  isWorker ? serveAsWorker(config) : serveAsFirst(config, print, onFailure)

/** What is open, closed in the opposite order: by `stop`, or when the start fails. */
const opening = async (open: (closers: Closer[]) => Promise<void>): Promise<RunningServer> => {
  const closers: Closer[] = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    await open(closers)
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Closer = () => Promise<void>

const openApp = async (config: Config, database: OpenDatabase, log: RequestLog, closers: Closer[]) => {
  const [{ buildApp, startForwarding }, deps] = await Promise.all([
    import('./app.js'),
    openDeps(config, database.db, log),
  ])
  closers.push(async () => deps.files.close())
  closers.push(() => deps.mail.close())
  closers.push(() => deps.outbound.close())
  const { app, receivingNow } = await buildApp(deps, log)
  closers.push(watchStalls(deps.metrics, log).stop)
  return { app, deps, startForwarding: () => startForwarding(deps, receivingNow) }
}

const logOf = (config: Config): RequestLog => {
  const { logLevel, logFormat } = config.of(processSettings)
  return openLog(logLevel, undefined, logFormat)
}

/** The whole server; or, with several WORKERS, everything but the answering. */
const serveAsFirst = (config: Config, print: Print, onFailure: () => void): Promise<RunningServer> =>
  opening(async (closers) => {
    const { host, port, roles, metricsPort, workers: count } = config.of(processSettings)
    const log = logOf(config)
    let workers: Workers | undefined
    await mkdir(dataFolder(config), { recursive: true, mode: 0o700 })
    const events = { onFailure, onMoved: () => workers?.databaseMoved() }
    // The database starts while the application is loaded: each takes about as long as the other.
    const [database] = await Promise.all([
      openDatabase(config, log, (message) => print(`${message}…\n`), events).then((opened) => {
        closers.push(opened.close)
        return opened
      }),
      import('./app.js'),
    ])
    await migrateAll(database.db, log)
    const { app, deps, startForwarding } = await openApp(config, database, log, closers)
    const node = await joinNodes(deps, await ownProgram())
    closers.push(node.leave)
    publishClock(deps, node.clockSeconds)
    watchInstallation(deps)
    watchBackups(deps)
    if (metricsPort !== undefined) closers.push((await startMetricsServer(deps.metrics, host, metricsPort)).close)
    const surroundings = await lookAround(deps, database.place)
    const isWeb = roles.includes('web')
    if (isWeb && count > 1) workers = await startWorkers({ count, log, metrics: deps.metrics, onFailure })
    const web = workers === undefined && isWeb ? await listen(app, host, port) : workers
    if (roles.includes('jobs')) {
      const runner = await startJobs(database.db, deps.jobs, log, { concurrency: 4, isAlone: database.isOwn })
      closers.push(() => runner.stop())
      const sender = startForwarding()
      closers.push(() => sender.stop())
    }
    // Last in, first out: no request is taken while the last jobs run.
    if (web !== undefined) closers.push(web.close)
    announce({ config, log, port: web?.port }, surroundings, node.warnings, print)
  })

const ownProgram = async () => ({
  version: String(JSON.parse(await readFile(packageFile, 'utf8')).version),
  knows: await newestMigration(migrationsFolder),
})

/** What whoever starts the server is told of it, asked before anybody is answered: a database that goes away later does not end a
 * server that runs. */
const lookAround = async (deps: Deps, database: string) => {
  const [accounts, isInhabited, isLed, changed] = await Promise.all([
    countUsers(deps.db, { callerId: 0, withOrganizations: false }),
    hasPeople(deps.db),
    hasOperator(deps.db),
    findChangedSecret(deps),
  ])
  const found = { database, accounts, isEmpty: !isInhabited, hasOperator: isLed, setupCode: setupCode(deps) }
  return { found, changed }
}

/** Warnings go to the log too, where whoever collects it finds them. */
const announce = (
  { config, log, port }: { config: Config; log: RequestLog; port: number | undefined },
  { found, changed }: Awaited<ReturnType<typeof lookAround>>,
  ofNodes: readonly string[],
  print: Print,
): void => {
  const place = installation(config, port ?? 0)
  if (port === undefined) print('Sheaf runs background jobs; it does not listen (ROLES).\n')
  else print(announcement(place, found))
  const warnings = [...settingWarnings(place), ...ofNodes, ...(changed === undefined ? [] : [secretWarning(changed)])]
  for (const warning of warnings) {
    log.warn({}, warning.split('\n', 1)[0] ?? '')
    print(`WARNING: ${warning}\n\n`)
  }
}

const installation = (config: Config, port: number): Installation => {
  const { host, baseUrl, trustProxy, secretKey } = config.of(processSettings)
  return {
    host,
    port,
    baseUrl,
    trustProxy,
    hasDatabaseUrl: config.of(databaseSettings).databaseUrl !== undefined,
    hasReplicas: config.of(databaseSettings).replicaUrl !== undefined,
    hasSecretKey: secretKey !== undefined,
    hasSmtp: config.of(outsideSettings).smtpUrl !== undefined,
    dataFolder: dataFolder(config),
  }
}

/** Answers requests, and nothing else. */
const serveAsWorker = (config: Config): Promise<RunningServer> =>
  opening(async (closers) => {
    const { host, port } = config.of(processSettings)
    const log = logOf(config)
    const database = await joinDatabase(config, log)
    closers.push(database.close)
    const { app, deps } = await openApp(config, database, log, closers)
    obeyFirst(deps.metrics, () => void database.follow())
    closers.push((await listen(app, host, port)).close)
  })

const listen = async (app: App, host: string, port: number) => {
  await app.listen({ host, port, listenTextResolver: () => 'listening' })
  const { port: boundPort } = app.server.address() as AddressInfo
  return {
    port: boundPort,
    close: () => closeWithin(graceSeconds, app.close(), () => app.server.closeAllConnections()),
  }
}

const closeWithin = async (seconds: number, closing: PromiseLike<unknown>, cut: () => void): Promise<void> => {
  const timer = setTimeout(cut, seconds * 1000)
  await closing
  clearTimeout(timer)
}
