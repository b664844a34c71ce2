// What a room is given: the outside world as thin clients, each with a real stand-in for tests.
import type { Config } from './config/index.js'
import type { Database } from './db/index.js'
import type { Files } from './files/index.js'
import type { App } from './http/index.js'
import type { JobHandlers } from './jobs/index.js'
import type { Mail } from './mail/index.js'
import type { Outbound } from './outbound/index.js'
import type { PasswordCost, Secrets } from './secrets/index.js'
import type { Log, Metrics } from './telemetry/index.js'

export interface Clock {
  now(): Date
}

export interface Deps {
  readonly config: Config
  readonly db: Database
  readonly jobs: JobHandlers
  readonly files: Files
  readonly mail: Mail
  readonly outbound: Outbound
  readonly secrets: Secrets
  /** Of those that are hashed from now on; a hash says itself what it took. */
  readonly passwordCost: PasswordCost
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

/** A room registers its routes and its jobs. */
export type Room = (app: App, deps: Deps) => Promise<void>
