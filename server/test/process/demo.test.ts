// npm run demo, in small: it fills a server through the public API, says where, and leaves nothing behind.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../../demo/dist/main.js', import.meta.url))

let place: string
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'sheaf-test-demo-'))
})
afterAll(() => rm(place, { recursive: true, force: true }))

/** In a group of its own: Ctrl-C reaches all processes of a terminal. */
const start = (...options: string[]) => {
  const child = spawn(process.execPath, [program, '--port', '0', ...options], {
    env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), TMPDIR: place },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, closed: once(child, 'close'), said: () => output }
}

describe('npm run demo', () => {
  it('fills a server with people, projects, records, reviews, services and an export; Ctrl-C leaves nothing', async () => {
    const { child, closed, said } = start('--json', '--records', '120')
    await Promise.race([closed, once(child.stdout, 'data')])
    const { address, logins, forms } = JSON.parse(said())
    const [amina, , grace] = logins
    const as = (who: { username: string; password: string }) => async (path: string) => {
      const authorization = `Basic ${Buffer.from(`${who.username}:${who.password}`).toString('base64')}`
      return (await fetch(`${address}/api/v1${path}`, { headers: { authorization } })).json()
    }
    expect((await as(amina)('/server')).counts).toMatchObject({
      people: 3,
      organizations: 1,
      projects: 2,
      records: 120,
    })
    const households = await as(amina)(`/data/${forms.households}`)
    expect(households).toHaveLength(90)
    expect(new Set(households.map((row: { _submitted_by: string }) => row._submitted_by)).size).toBe(3)
    expect(households.filter((row: { _review_status: string }) => row._review_status === '1').length).toBeGreaterThan(
      40,
    )
    const own = await as(grace)(`/data/${forms.households}`)
    expect(own.every((row: { _submitted_by: string }) => row._submitted_by === 'grace')).toBe(true)
    expect(own.length).toBeGreaterThan(10)
    expect(await as(amina)(`/restservices?xform=${forms.households}`)).toHaveLength(2)
    expect(await as(amina)(`/widgets?xform=${forms.water}`)).toHaveLength(4)
    expect((await as(amina)(`/export?xform=${forms.households}`))[0].job_status).toBe('SUCCESS')
    expect(await as(amina)('/dataviews')).toHaveLength(1)
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(await closed).toEqual([0, null])
    expect(await readdir(place)).toEqual([])
  })

  it('ends by itself with --end, and leaves nothing either; what it cannot do it says', async () => {
    const { closed, said } = start('--records', '40', '--end')
    expect(await closed).toEqual([0, null])
    expect(said()).toMatch(/The demo runs, filled in \d+ s:\n\n {2}http:\/\/127\.0\.0\.1:\d+\n/)
    expect(said()).toContain('amina    password "lake basin"')
    expect(await readdir(place)).toEqual([])
    const refused = start('--records', '3')
    expect(await refused.closed).toEqual([1, null])
    expect(refused.said()).toContain('at least 40 records')
  })
})
