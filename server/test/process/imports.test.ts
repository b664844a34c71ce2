import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../src/budgets.js'
import type { ServerProcess } from '../support/process.js'
import { workplace } from '../support/process.js'

let place: Awaited<ReturnType<typeof workplace>>
beforeAll(async () => {
  place = await workplace({ hasDatabase: true })
  const server = await place.start().ready()
  await server.register('ana')
  await server.end('SIGTERM')
})
afterAll(() => place.clean())

const authorization = `Basic ${Buffer.from('ana:correct horse').toString('base64')}`
const headers = { authorization }

const sendFile = async (server: ServerProcess, path: string, field: string, content: string) => {
  const body = new FormData()
  body.append(field, new Blob([content]), 'file.csv')
  const response = await server.call(path, { method: 'POST', headers, body })
  return (await response.json()) as Record<string, unknown>
}

const get = async (server: ServerProcess, path: string) =>
  (await (await server.call(path, { headers })).json()) as Record<string, unknown>

describe('a server that is killed in the middle of an import', () => {
  it('has stored nothing of it, and the next one imports all of it', { timeout: 240_000 }, async () => {
    const rows = 8000
    const first = await place.start().ready()
    const form = await sendFile(first, '/api/v1/forms', 'xls_file', 'survey\n,type,name,label\n,text,name,Name\n')
    const path = `/api/v1/forms/${form.formid}`
    const table = `name\n${Array.from({ length: rows }, (_, n) => `person number ${n}\n`).join('')}`
    const { task_id: id } = await sendFile(first, `${path}/import`, 'csv_file', table)
    const status = (server: ServerProcess) => get(server, `${path}/import?job_uuid=${id}`)
    for (;;) {
      const { job_status: state, progress } = await status(first)
      expect(state).not.toBe('SUCCESS')
      if (state === 'PROGRESS' && Number(progress) > 0) break
    }
    await first.end('SIGKILL')

    const second = await place.start().ready()
    expect(await get(second, path)).toMatchObject({ num_of_submissions: 0 })
    for (;;) {
      const { job_status: state } = await status(second)
      if (state !== 'PROGRESS') break
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await status(second)).toMatchObject({ job_status: 'SUCCESS', additions: rows, updates: 0, duplicates: 0 })
    expect(await get(second, path)).toMatchObject({ num_of_submissions: rows })
    await second.end('SIGTERM')
  })
})

describe('a server that is told to stop in the middle of an import', () => {
  it('stops at once, has stored nothing of it, and the next one imports all of it, once', {
    timeout: 240_000,
  }, async () => {
    const rows = 20_000
    const first = await place.start().ready()
    const form = await sendFile(first, '/api/v1/forms', 'xls_file', 'survey\n,type,name,label\n,text,name,Other\n')
    const path = `/api/v1/forms/${form.formid}`
    const table = `name\n${Array.from({ length: rows }, (_, n) => `person number ${n}\n`).join('')}`
    const { task_id: id } = await sendFile(first, `${path}/import`, 'csv_file', table)
    const status = (server: ServerProcess) => get(server, `${path}/import?job_uuid=${id}`)
    for (;;) {
      const { job_status: state, progress } = await status(first)
      expect(state).not.toBe('SUCCESS')
      if (state === 'PROGRESS' && Number(progress) > 0) break
    }
    const before = performance.now()
    await first.end('SIGTERM')
    expect(performance.now() - before).toBeLessThan(2 * budgets.jobs.graceMs)

    const second = await place.start().ready()
    expect(await get(second, path)).toMatchObject({ num_of_submissions: 0 })
    for (;;) {
      const { job_status: state } = await status(second)
      if (state !== 'PROGRESS' && state !== 'PENDING') break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(await status(second)).toMatchObject({ job_status: 'SUCCESS', additions: rows, updates: 0, duplicates: 0 })
    expect(await get(second, path)).toMatchObject({ num_of_submissions: rows })
  })
})
