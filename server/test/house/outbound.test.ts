// Who may open a connection. Addresses are given by people, so there is one client for them; everything else that talks to
// another machine is named here with what it talks to, and a new one fails.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const sources = ['server/src', 'xlsform/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\.d\.ts$/.test(name))
    .map((name) => join(folder, name)),
)

/** What can reach another machine, as an import. */
const networkModules =
  /^(node:)?(http|https|http2|net|tls|dns|dns\/promises|dgram|inspector)$|^(undici|nodemailer|@aws-sdk\/|oauth4webapi|oidc-provider|pg$|pg-|graphile-worker|node-fetch|axios|got$|ws$|request$)/

/** Module → what of it opens nothing: readers of text, types, a table of words. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  'node:net': ['isIP', 'isIPv4', 'isIPv6', 'Socket', 'AddressInfo', 'LookupFunction'],
  'node:http': ['STATUS_CODES'],
}

/** File → what it uses, and why that is no call to an address that somebody gave. */
const allowed: Record<string, string> = {
  'server/src/platform/outbound/outbound.ts': 'the one client',
  'server/src/platform/outbound/names.ts': 'looks up names for the one client',
  'server/src/platform/mail/smtp.ts': 'the mail server of SMTP_URL',
  'server/src/platform/files/s3-files.ts': 'the bucket of FILES_URL, BACKUP_URL or a command',
  'server/src/platform/files/s3-client.ts': 'the bucket of FILES_URL, BACKUP_URL or a command',
  'server/src/platform/db/': 'the database of DATABASE_URL, or the built-in one',
  'server/src/platform/dump/': 'the database of DATABASE_URL, over its pool',
  'server/src/platform/jobs/jobs.ts': 'the database of DATABASE_URL, over its pool',
  'server/src/features/health/metrics-server.ts': 'listens on METRICS_PORT',
  'server/src/features/sign-in/outside.ts': 'a protocol without a network: its fetch is the one client',
  'server/src/features/oauth/protocol/library.ts': 'a protocol without a network: its fetch refuses, see provider.ts',
}

const importsOf = (text: string): { module: string; names: string[] }[] => [
  ...[...text.matchAll(/^import (?!type )([^'"]*?)\s*from '([^']+)'/gms)].map(([, names = '', module = '']) => ({
    module,
    names: names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ')),
  })),
  // Not `import('x').Type`, which is gone once it is compiled.
  ...[...text.matchAll(/(?<!typeof )\b(?:import|require)\(\s*['"]([^'"]+)['"]\)(?!\.[A-Z])/g)].map(
    ([, module = '']) => ({
      module,
      names: ['*'],
    }),
  ),
]

/** Without an import. */
const globals = /(?<![.\w])fetch\(|globalThis\.fetch|new (WebSocket|EventSource|XMLHttpRequest)\b|process\.binding\(/

const callersOut = sources.filter((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  if (globals.test(text)) return true
  return importsOf(text).some(
    ({ module, names }) => networkModules.test(module) && names.some((name) => !harmless[module]?.includes(name)),
  )
})

const ruleFor = (path: string) =>
  Object.keys(allowed).find((one) => path === one || (one.endsWith('/') && path.startsWith(one)))

describe('connections to other machines', () => {
  it('are made by the one client, and by what is named here with its reason', () => {
    expect(sources.length).toBeGreaterThan(300)
    expect(callersOut.filter((path) => ruleFor(path) === undefined)).toEqual([])
  })

  it('that are named here are still made', () => {
    expect(Object.keys(allowed).filter((rule) => !callersOut.some((path) => ruleFor(path) === rule))).toEqual([])
  })

  it('start nothing but the built-in database and this program', () => {
    const starters = sources.filter((path) =>
      /node:child_process|node:cluster/.test(readFileSync(join(root, path), 'utf8')),
    )
    const known = /^server\/src\/(platform\/db\/embedded\/|workers?(-watch)?\.ts|commands\/)/
    expect(starters.filter((path) => !known.test(path))).toEqual([])
  })
})
