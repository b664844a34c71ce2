// What the server says when it runs: where it is, what to do next, and what whoever runs it should know.
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { programFile } from './paths.js'
import { isOwnMachine } from './platform/outbound/index.js'
import { inAddress } from './platform/settings.js'

export interface Installation {
  readonly host: string
  /** The one in use. */
  readonly port: number
  readonly baseUrl: string | undefined
  readonly trustProxy: readonly string[]
  readonly hasDatabaseUrl: boolean
  readonly hasReplicas: boolean
  readonly hasSecretKey: boolean
  readonly hasSmtp: boolean
  readonly dataFolder: string
}

interface Found {
  /** Where the database is. */
  readonly database: string
  /** Of people who may sign in. */
  readonly accounts: number
  /** There has never been anybody. */
  readonly isEmpty: boolean
  readonly hasOperator: boolean
  /** Makes the first account; see sign-in/setup-code. */
  readonly setupCode: string
}

const isPlain = (text: string): boolean => /^[\w@%+=:,./-]+$/.test(text)
const quoted = (text: string): string => (isPlain(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** Works in any terminal of this machine. Addresses of databases and keys hold secrets: they are named, not shown. */
const userCommand = ({ dataFolder, hasDatabaseUrl, hasSecretKey }: Installation, words: string): string =>
  [
    `DATA_DIR=${quoted(dataFolder)}`,
    ...(hasDatabaseUrl ? ['DATABASE_URL=…'] : []),
    ...(hasSecretKey ? ['SECRET_KEY=…'] : []),
    `node ${quoted(resolve(programFile))} user ${words}`,
  ].join(' ')

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((cards = []) =>
    cards.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
  )

const mostShown = 3
const everywhere = new Set(['0.0.0.0', '::'])

/** What to type into ODK Collect; `ana` stands for whoever collects. */
export const phoneAdvice = ({ host, port, baseUrl }: Installation, addresses = ownAddresses()): string => {
  const shown = baseUrl === undefined ? host : new URL(baseUrl).hostname
  if (isOwnMachine(shown)) return 'cannot reach this address; HOST=0.0.0.0 listens to them too (README, Phones)'
  if (baseUrl !== undefined) return `${baseUrl}/USERNAME in ODK Collect`
  const reached = everywhere.has(host) ? addresses.slice(0, mostShown) : [host]
  if (reached.length === 0) return 'need a network that this machine is in too; it is in none now'
  return `${reached.map((address) => `http://${inAddress(address)}:${port}/USERNAME`).join(' or ')} in ODK Collect`
}

const bestNode = 22

/** Said with the first account, and not again. */
export const nodeAdvice = (version: string): string =>
  Number.parseInt(version, 10) < bestNode
    ? `\n  Node.js ${version} works; ${bestNode} is the version to use, and what some libraries are made for.\n`
    : ''

/** The code is in the address: whoever can read this may make the first account, and nobody else. */
const firstSteps = (place: Installation, shown: string, code: string): string => `
  Nobody has an account yet. To make the first one, open
    ${shown}/setup?code=${code}
  or, in another terminal:
    ${userCommand(place, 'create --operator')}
${nodeAdvice(process.versions.node)}`

const accountsInWords = (place: Installation, accounts: number, hasOperator: boolean): string => `
  ${accounts} account${accounts === 1 ? '' : 's'}.${
    hasOperator ? '' : ` Nobody is an operator, who would see /server:\n    ${userCommand(place, 'operator USERNAME')}`
  }
`

export const announcement = (place: Installation, found: Found): string => {
  const { host, port, baseUrl, dataFolder, hasSmtp } = place
  const { database, accounts, isEmpty, hasOperator, setupCode } = found
  const shown = baseUrl ?? `http://${inAddress(host)}:${port}`
  const lines = [
    ['Address', shown],
    ['Read and try', `${shown}/api/v1/docs`],
    ['Phones', phoneAdvice(place)],
    ['Data', dataFolder],
    ['Database', database],
    ['Mail', hasSmtp ? 'sent through SMTP_URL' : `written to ${dataFolder}/outbox (SMTP_URL sends it)`],
  ]
  const hint = isEmpty ? firstSteps(place, shown, setupCode) : accountsInWords(place, accounts, hasOperator)
  return `\nSheaf is running.\n\n${lines.map(([name, value]) => `  ${name?.padEnd(13)} ${value}`).join('\n')}\n${hint}\n`
}

/** Settings that are right each by itself, and not together. */
export const settingWarnings = (place: Installation): string[] => {
  const { baseUrl, trustProxy, hasSmtp, hasDatabaseUrl, hasReplicas } = place
  const isBehindTls = baseUrl?.startsWith('https:') === true && trustProxy.length === 0
  const hasLocalLinks = baseUrl === undefined && (hasSmtp || trustProxy.length > 0)
  return [
    ...(isBehindTls
      ? [
          `BASE_URL begins with https, so a proxy stands in front; TRUST_PROXY does not name it.
All callers seem to have the proxy's address: ten wrong passwords of one person lock an account for everybody, limits
are shared by all, and the log shows one address. Set TRUST_PROXY to the proxy's address, for example
TRUST_PROXY=loopback when it runs on this machine.`,
        ]
      : []),
    ...(hasLocalLinks
      ? [
          `BASE_URL is not set, while ${hasSmtp ? 'SMTP_URL sends mails' : 'TRUST_PROXY names a proxy'}.
Links in mails lead to this machine, where others cannot follow them. Set BASE_URL to the address that people use.`,
        ]
      : []),
    ...(hasReplicas && !hasDatabaseUrl
      ? [
          `DATABASE_REPLICA_URL is set, and DATABASE_URL is not: this server uses its built-in database, which has no replicas.
Nothing is read from there. Set DATABASE_URL to the primary that the replica follows.`,
        ]
      : []),
  ]
}
