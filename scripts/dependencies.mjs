// The packages that the server runs with, and what of somebody else's each of them gets to read.
import { readFileSync } from 'node:fs'

const hostileInput = {
  '@pinia/colada': 'answers of this server, in browsers',
  '@aws-sdk/client-s3': 'answers of the S3 server',
  '@aws-sdk/lib-storage': 'uploaded bytes, unread',
  '@e965/xlsx': 'uploaded workbooks, in a thread with a limit of memory and time',
  '@getodk/web-forms': 'forms and answers, in browsers, on the page for filling in',
  '@fastify/accepts': 'the Accept header',
  '@fastify/busboy': 'multipart bodies',
  '@fastify/compress': 'the Accept-Encoding header',
  '@fastify/cookie': 'the Cookie header',
  '@fastify/formbody': 'form-encoded bodies',
  '@fastify/multipart': 'multipart bodies',
  '@fastify/rate-limit': 'addresses of callers',
  '@node-rs/argon2': 'passwords',
  ajv: 'bodies and queries, by schemas of ours',
  'ajv-formats': 'addresses and times in bodies',
  commander: 'nothing',
  'csv-parse': 'uploaded tables',
  echarts: 'answers of records, in a thread',
  'fast-json-stringify': 'values of answers',
  fastify: 'every request',
  'file-type': 'beginnings of uploaded files',
  'graphile-worker': 'payloads of jobs',
  'i18n-iso-countries': 'country codes',
  idb: 'nothing',
  'ipaddr.js': 'addresses of callers and of servers that are called',
  jdenticon: 'names of accounts',
  'lru-cache': 'keys of ours',
  'mime-types': 'names of files',
  nodemailer: 'answers of the mail server',
  oauth4webapi: 'answers of outside OpenID providers',
  'oidc-provider': 'requests of OAuth clients',
  'openapi-fetch': 'answers of this server, in browsers',
  pg: 'values, always bound',
  'pg-copy-streams': 'rows, as bytes',
  pinia: 'nothing',
  pino: 'what is logged',
  postgrator: 'nothing',
  'prom-client': 'names of operations',
  re2js: 'patterns in forms, and answers',
  'reka-ui': 'what is typed, in browsers',
  saxes: 'XML of forms and submissions',
  'secure-json-parse': 'JSON bodies',
  sharp: 'uploaded pictures',
  'sql-template-tag': 'values, always bound',
  standardwebhooks: 'records, to be signed',
  undici: 'answers of servers that people name',
  uqr: 'texts of codes, which are ours',
  vue: 'whatever is shown, in browsers, as text',
  'vue-router': 'addresses, in browsers',
  yazl: 'names and bytes of files that are exported',
}

const manifest = (folder) => JSON.parse(readFileSync(new URL(`../${folder}/package.json`, import.meta.url), 'utf8'))

/** Not installed with the server: they are a part of what is built. */
const builtInNames = [
  '@getodk/web-forms',
  '@pinia/colada',
  'echarts',
  'idb',
  'openapi-fetch',
  'pinia',
  'reka-ui',
  'vue',
  'vue-router',
]
const builtIn = ({ devDependencies }) => Object.entries(devDependencies).filter(([name]) => builtInNames.includes(name))

/** Name → version of what the server, the form compiler and the web application run with, without each other. */
const runtimeDependencies = () =>
  Object.fromEntries(
    ['server', 'xlsform', 'web']
      .flatMap((folder) => [...Object.entries(manifest(folder).dependencies ?? {}), ...builtIn(manifest(folder))])
      .filter(([name]) => !name.startsWith('@sheaf/'))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** A package without a word on what it reads fails here: the word is the question whether it may. */
export const dependencyTable = () => {
  const rows = Object.entries(runtimeDependencies()).map(([name, version]) => {
    if (hostileInput[name] === undefined) throw new Error(`scripts/dependencies.mjs says nothing of ${name}`)
    return `| \`${name}\` | ${version} | ${hostileInput[name]} |`
  })
  return ['| Package | Version | Reads of others |', '|---|---|---|', ...rows].join('\n')
}

const [begin, end] = ['<!-- dependencies: written by npm run docs -->', '<!-- end of dependencies -->']

/** The page with the table as it is now. */
export const withDependencies = (page) => {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`SECURITY.md has lost its marks: ${begin} … ${end}`)
  return `${before}${begin}\n${dependencyTable()}\n${end}${after}`
}
