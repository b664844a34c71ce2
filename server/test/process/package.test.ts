// The server as it is handed out: packed, installed into an empty prefix by somebody without a home, and used from there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sheet } from '../support/forms.js'
import { type ServerProcess, workplace } from '../support/process.js'
import { instance, submissionBody } from '../support/submissions.js'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'sheaf-package-'))
const [home, prefix] = [join(folder, 'home'), join(folder, 'prefix')]
const installed = join(prefix, 'lib/node_modules/@sheaf/server')
const authorization = `Basic ${Buffer.from('ana:correct horse').toString('base64')}`
const text = sheet('type,name,label\ninteger,age,Age\nimage,photo,Photo', {
  settings: { form_id: 'visit', version: '1' },
})

let place: Awaited<ReturnType<typeof workplace>>
let server: ServerProcess

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))

const packagesIn = (path: string): string[] =>
  readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => (name.startsWith('@') ? readdirSync(join(path, name)).map((own) => `${name}/${own}`) : [name]))

const install = (): void => {
  mkdirSync(home)
  execFileSync(process.execPath, [join(root, 'scripts/pack.mjs'), folder])
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  // What `npm ci` has fetched for the checkout is not fetched again.
  const cache = execFileSync('npm', ['config', 'get', 'cache'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', '--global', '--prefix', prefix, ...quiet, join(folder, file)], {
    cwd: home,
    env: { ...process.env, HOME: home, npm_config_cache: cache.trim() },
    stdio: 'ignore',
    timeout: 180_000,
  })
}

beforeAll(async () => {
  install()
  place = await workplace({ hasDatabase: true })
  server = await place.start({ HOME: home }, [join(prefix, 'bin/sheaf'), 'serve']).ready()
}, 240_000)
afterAll(async () => {
  await place.clean()
  rmSync(folder, { recursive: true, force: true })
})

const get = (path: string): Promise<Response> => server.call(path, { headers: { authorization } })

describe('the package of the server', () => {
  it('holds what runs, the words of those whose work is in it, and nothing that builds or tests', () => {
    const files = filesIn(installed).filter((path) => !path.startsWith('node_modules/'))
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'THIRD-PARTY.txt',
        'deploy/sheaf.service',
        'docs/operations.md',
        'web/dist/index.html',
      ]),
    )
    expect(
      files.filter((path) => /\.(?:ts|vue|map|tsbuildinfo)$|\/(?:test|src|\.vite)\/|parts\.json/.test(path)),
    ).toEqual([])
    const notices = readFileSync(join(installed, 'THIRD-PARTY.txt'), 'utf8')
    for (const words of ['\nfastify 5.', 'The Fastify team', '\nvue 3.', '\necharts 6.'])
      expect(notices).toContain(words)
  })

  it('brings along only the packages that are more than JavaScript, as the lock file has them', () => {
    const platform = `${process.platform}-${process.arch}`
    const names = packagesIn(join(installed, 'node_modules')).filter((name) => !name.includes(platform))
    expect(names.sort()).toEqual(['@img/colour', '@node-rs/argon2', 'detect-libc', 'semver', 'sharp'])
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
    const versions = names.map((name) => [
      name,
      JSON.parse(readFileSync(join(installed, 'node_modules', name, 'package.json'), 'utf8')).version,
    ])
    expect(versions).toEqual(names.map((name) => [name, lock[`node_modules/${name}`].version]))
  })

  it('serves: an account, a form, a submission with a picture, a small one of it, a chart, a page', async () => {
    expect((await server.register('ana')).status).toBe(201)
    const published = await server.call('/api/v1/forms', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ text_xls_form: text }),
    })
    expect(published.status).toBe(201)
    const { formid } = (await published.json()) as { formid: number }

    const content = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const xml = instance({ id_string: 'visit', version: '1' }, '<age>7</age><photo>a.png</photo>')
    const { body, headers } = submissionBody(xml, [{ name: 'a.png', content, type: 'image/png' }])
    const init = { method: 'POST', body: new Uint8Array(body), headers: { ...headers, authorization } }
    expect((await server.call('/ana/submission', init)).status).toBe(201)

    const [record] = (await (await get(`/api/v1/data/${formid}`)).json()) as [
      { age: string; _attachments: [{ small_download_url: string }] },
    ]
    expect(record.age).toBe('7')
    const small = await get(record._attachments[0].small_download_url.replace(server.address, ''))
    expect((await sharp(await small.arrayBuffer()).metadata()).width).toBeLessThan(500)
    expect(await (await get(`/api/v1/charts/${formid}.html?field_name=age`)).text()).toContain('<svg')
    expect(await (await server.call('/accounts/login', { headers: { accept: 'text/html' } })).text()).toContain('<html')
  })
})
