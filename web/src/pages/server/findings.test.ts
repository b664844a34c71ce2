import { describe, expect, it } from 'vitest'
import type { Server } from '@/api/server'
import { findingsOf } from './findings'

const now = Date.parse('2026-11-16T10:00:00Z')
const well = {
  processes: { workers: 1, roles: ['web', 'jobs'], job_runners: 1, memory_bytes: 1 },
  health: { database: 'ok', migrations: 'ok', files: 'ok', mail: 'ok' },
  disk: { folder: '/srv', total_bytes: 500_000_000_000, free_bytes: 300_000_000_000 },
  counts: { people: 1, active_people: 1, organizations: 0, projects: 1, forms: 1, records: 10 },
  jobs: { due: 0, later: 0, running: 0, given_up: 0, failing: [] },
  mails: { is_sent: true, waiting: 0, given_up: 0, last_error: null },
  failing_services: [],
  verified: { ran_at: '2026-11-15T03:00:00Z', records: 10, files: 1, differences: 0 },
} as unknown as Server
const names = (change: Partial<Record<keyof Server, unknown>>) =>
  findingsOf({ ...well, ...change } as Server, now).map(({ name, isFault }) => `${name}${isFault ? '!' : ''}`)

describe('whether the server is well', () => {
  it('nothing is said where all is well, and where figures are not known yet', () => {
    expect(names({})).toEqual([])
    const unknown = { total_bytes: null, free_bytes: null, folder: '/srv' }
    expect(names({ disk: unknown, counts: null, verified: null })).toEqual([])
  })

  it.each([
    [{ health: { ...well.health, database: 'unreachable' } }, ['databaseAway!']],
    [{ health: { ...well.health, files: 'unreachable', migrations: 'pending' } }, ['migrationsPending!', 'filesAway!']],
    [{ health: { ...well.health, files: 'full' } }, ['filesFull!']],
    [{ processes: { ...well.processes, job_runners: 0 } }, ['noRunner!']],
    [{ disk: { ...well.disk, free_bytes: 40_000_000_000 } }, ['diskFull']],
    [{ disk: { ...well.disk, free_bytes: 900_000_000 } }, ['diskFull!']],
    [{ verified: null }, ['neverVerified']],
    [{ verified: { ...well.verified, ran_at: '2026-09-01T00:00:00Z' } }, ['verifiedLongAgo']],
    [{ verified: { ...well.verified, differences: 2 } }, ['differences!']],
  ])('%j', (change, expected) => {
    expect(names(change)).toEqual(expected)
  })

  it('what needs somebody now comes before what is worth knowing', () => {
    const mails = { ...well.mails, is_sent: false }
    const health = { ...well.health, mail: 'failing' }
    expect(names({ mails, health, jobs: { ...well.jobs, given_up: 2 } })).toEqual([
      'mailFailing!',
      'givenUp',
      'mailToFiles',
    ])
  })
})
