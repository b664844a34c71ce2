// The servers of one database know of each other. Whoever starts with another secret, or with files of its own, would take half of
// all requests and answer them wrongly: it is told, and does not begin.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import { budgets } from '../../budgets.js'
import type { Database } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { isSecretOf } from '../../platform/secrets/index.js'
import { dropUploads, renewPendingFiles, storeUpload } from '../uploads/index.js'
import { watchClock } from './clock.js'
import {
  areNodesKnown,
  deleteNode,
  insertNode,
  listNodesBefore,
  listNodesBelow,
  type NodeRow,
  renewNode,
} from './nodes.queries.js'

const { beatMs, silentMs } = budgets.jobs

/** It does not go together with those that run. */
class NodeRefused extends Error {}

/** Somebody runs a program that would not fit any more. */
class OlderNodes extends Error {}

export interface NodeProgram {
  readonly version: string
  /** The newest migration that it knows. */
  readonly knows: number
}

export interface JoinedNode {
  /** What whoever starts it should know. */
  readonly warnings: readonly string[]
  /** How far its clock is ahead of the database's. */
  readonly clockSeconds: () => number
  leave(): Promise<void>
}

/** Of one machine, or of what one process may take. Files are compared by a file, the secret by what it makes. */
const ownToEach: ReadonlySet<string> = new Set([
  ...['HOST', 'PORT', 'DATA_DIR', 'ROLES', 'WORKERS', 'LOG_LEVEL', 'LOG_FORMAT', 'METRICS_PORT', 'TRUST_PROXY'],
  ...['THROTTLE_RATE', 'REQUESTS_AT_ONCE', 'SUBMISSIONS_AT_ONCE', 'DATABASE_URL', 'DATABASE_REPLICA_URL'],
  ...['DATABASE_POOL_SIZE', 'DATABASE_RECEIVING_POOL_SIZE', 'DATABASE_STATEMENT_SECONDS', 'DATABASE_STREAM_SECONDS'],
  ...['SECRET_KEY', 'FILES_URL'],
])

const settingsOf = ({ config, secrets }: Deps): Record<string, string> => {
  const hashed = config.hashed((text) => secrets.hash('node setting', text).slice(0, 16))
  return Object.fromEntries(Object.entries(hashed).filter(([name]) => !ownToEach.has(name)))
}

/** A file that the others look for. A store that is away keeps nobody from starting. */
const leaveFile = async (deps: Deps, name: string): Promise<string | null> => {
  try {
    const source = Readable.from([Buffer.from(`${name}\n`)])
    return (await storeUpload(deps, source, { folder: 'nodes' })).key
  } catch (err) {
    deps.log.warn({ err }, 'whether all nodes have the same files cannot be looked at: the store is away')
    return null
  }
}

/** One that was stopped says so. */
const stillThere = `A node that was killed counts as running for ${Math.round(silentMs / 1000)} seconds.`

const refuseOtherSecret = async ({ db, secrets }: Deps, others: readonly NodeRow[], own: NodeRow): Promise<void> => {
  const other = others.find(({ secret }) => secret !== own.secret)
  if (other === undefined) return
  const isRight = (await isSecretOf(db, secrets)) === true
  throw new NodeRefused(
    `The node ${other.name} runs with another secret than this one (SECRET_KEY, or DATA_DIR/secret.key): each would refuse the tokens and sign-ins of the other.
${isRight ? `The secret of this one is the one that the database was filled with. Stop ${other.name}, and give it the same.` : 'Start this one with the SECRET_KEY of the others. If the secret is to be changed, stop all of them first.'}
${stillThere}`,
  )
}

const lacks = async ({ files, log }: Deps, key: string): Promise<boolean> => {
  try {
    return !(await files.exists(key))
  } catch (err) {
    log.warn({ err }, 'whether all nodes have the same files cannot be looked at: the store is away')
    return false
  }
}

const refuseOtherFiles = async (deps: Deps, others: readonly NodeRow[]): Promise<void> => {
  for (const { name, fileKey } of others) {
    if (fileKey === null || !(await lacks(deps, fileKey))) continue
    throw new NodeRefused(
      `The files of this node are not those of the node ${name}: what is sent to one could not be read at the other.
Set FILES_URL to the same place for all nodes: an s3:// address, or a folder that all of them share. Without it each has DATA_DIR/files.
${stillThere}`,
    )
  }
}

const warningsFor = ({ config }: Deps, others: readonly NodeRow[], own: NodeRow): string[] => {
  if (others.length === 0) return []
  const unset = config.inForce.filter(({ isSet }) => !isSet).map(({ name }) => name)
  const differing = new Set(
    others.flatMap(({ settings }) =>
      Object.keys(own.settings).filter((name) => name in settings && settings[name] !== own.settings[name]),
    ),
  )
  return [
    ...(differing.size === 0
      ? []
      : [
          `Settings of this node are not those of ${others.map(({ name }) => name).join(', ')}: ${[...differing].join(', ')}.
What is answered depends on which node is asked. While a setting is being changed node by node, that passes.`,
        ]),
    ...(unset.includes('BASE_URL')
      ? [
          `BASE_URL is not set, and there are several nodes.
Each calls itself by its own address, in mails and towards OAuth programs. Set BASE_URL to the address that people use.`,
        ]
      : []),
    ...(unset.includes('SMTP_URL')
      ? [
          `SMTP_URL is not set, and there are several nodes.
A mail is written into the DATA_DIR/outbox of whichever node has the job.`,
        ]
      : []),
  ]
}

/** Says that it lives. Its file is made again where it is gone: the machine may have slept for longer than such files are kept, or
 * the store was away. */
const presenceOf = (deps: Deps, own: NodeRow) => {
  const { db } = deps
  let node = own
  const renew = async () => {
    const { fileKey, name } = node
    const isKept = fileKey !== null && (await renewPendingFiles(db.reserved, [fileKey])) > 0
    if (!isKept) node = { ...node, fileKey: await leaveFile(deps, name) }
    if (!(await renewNode(db.reserved, node))) await insertNode(db.reserved, node)
  }
  const forget = async () => {
    if (node.fileKey !== null) await dropUploads(deps, [node.fileKey], undefined)
    await deleteNode(db, node.id)
  }
  return { renew, forget }
}

/** From now on the others know of it. Throws NodeRefused when it does not go together with them. */
export const joinNodes = async (
  deps: Deps,
  { version, knows }: NodeProgram,
  { every = beatMs }: { every?: number } = {},
): Promise<JoinedNode> => {
  const { db, secrets, log } = deps
  const name = `${hostname()}:${process.pid}`
  const own: NodeRow = {
    id: randomUUID(),
    name,
    program: version,
    knows,
    secret: secrets.hash('node', 'secret'),
    settings: settingsOf(deps),
    fileKey: await leaveFile(deps, name),
  }
  const clock = await watchClock(deps)
  const { renew, forget } = presenceOf(deps, own)
  const others = await listNodesBefore(db, await insertNode(db, own), silentMs)
  try {
    await refuseOtherSecret(deps, others, own)
    await refuseOtherFiles(deps, others)
  } catch (error) {
    await forget()
    throw error
  }
  let renewing: Promise<void> | undefined
  const beat = () => {
    renewing ??= renew()
      .then(clock.look)
      .catch((err) => log.warn({ err }, 'the node cannot say that it lives'))
      .finally(() => {
        renewing = undefined
      })
  }
  const timer = setInterval(beat, every)
  return {
    warnings: [...clock.warnings, ...warningsFor(deps, others, own)],
    clockSeconds: clock.seconds,
    leave: async () => {
      clearInterval(timer)
      await renewing
      // A database that is away meanwhile: the others hear nothing more of it, which tells the same.
      await forget().catch((err) => log.warn({ err }, 'the node could not say that it stops'))
    },
  }
}

/** Before something is taken away that only programs that know this do without. */
export const refuseOlderNodes = async (db: Database, knows: number): Promise<void> => {
  if (!(await areNodesKnown(db))) return
  const older = await listNodesBelow(db, knows, silentMs)
  if (older.length === 0) return
  const named = older.map((one) => `${one.name} (${one.program}, knows version ${one.knows})`).join(', ')
  throw new OlderNodes(
    `The database was not migrated: nodes run that would not work on it afterwards: ${named}.
They need a program that knows version ${knows}: upgrade them to a release between, or stop them, and start again.`,
  )
}
