// Writes the types of the API, from the server's own description of it. Only type-checking needs them: what is built does not,
// so nobody waits for them who only starts the server.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const dist = new URL('../server/dist/', import.meta.url)
const load = (path) => import(new URL(path, dist).href)

/** The application without a database: nothing is asked of it while its routes are written down. */
const describe = async () => {
  const [{ buildApp }, { openDeps }, { loadConfig }, { connect }, { openLog }, { allSettings }] = await Promise.all(
    [
      'app.js',
      'deps.js',
      'platform/config/index.js',
      'platform/db/index.js',
      'platform/telemetry/index.js',
      'settings.js',
    ].map(load),
  )
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-types-'))
  try {
    const config = loadConfig(allSettings, { DATA_DIR: folder })
    const db = connect({ connection: { host: '127.0.0.1', port: 1 }, poolSize: 1 })
    const log = openLog('fatal', { write: () => undefined })
    const { app } = await buildApp(await openDeps(config, db, log), log)
    await app.ready()
    return JSON.stringify(await app.description.document(''))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [types, stamp] = [at('generated/api.d.ts'), at('generated/api.hash')]

const text = await describe()
const hash = createHash('sha256').update(text).digest('hex')
const isThere = existsSync(types) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
if (!isThere) {
  const [{ default: openapiTS, astToString }, { default: ts }] = await Promise.all([
    import('openapi-typescript'),
    import('typescript'),
  ])
  const blob = ts.factory.createTypeReferenceNode('Blob')
  const ast = await openapiTS(JSON.parse(text), {
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
  })
  mkdirSync(at('generated'), { recursive: true })
  writeFileSync(types, astToString(ast))
  writeFileSync(stamp, hash)
}
