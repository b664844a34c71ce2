// The parts of what operators see. Null is not known yet, or not known because the database is away.
import type { SettingInForce } from '../../platform/config/index.js'
import type { Static } from '../../platform/schema/index.js'
import type { Installation } from '../health/index.js'
import type { ServerView } from './operations.schemas.js'
import { jobView, serviceView } from './operations.views.js'
import type { Quick } from './quick.js'

type View = Static<typeof ServerView>
type MaybeQuick = Quick | undefined
type MaybeInstallation = Installation | undefined

export const runnersIn = (quick: MaybeQuick) => ({ job_runners: quick?.runners ?? null })

export const mailState = (quick: MaybeQuick): string => {
  if (quick === undefined) return 'unknown'
  return quick.mails.lastError === null ? 'ok' : 'failing'
}

export const diskIn = (installation: MaybeInstallation, folder: string): View['disk'] => ({
  folder,
  total_bytes: installation?.disk.all ?? null,
  free_bytes: installation?.disk.free ?? null,
})

export const databaseIn = (quick: MaybeQuick, installation: MaybeInstallation) => ({
  version: quick?.version ?? null,
  bytes: installation?.databaseBytes ?? null,
  largest_tables: (quick?.tables ?? []).map(({ name, bytes, rows }) => ({ name, bytes, estimated_rows: rows })),
})

export const filesIn = (installation: MaybeInstallation): View['files'] => {
  const bytesOf = (wanted: string) => installation?.files.find(({ kind }) => kind === wanted)?.bytes ?? null
  return {
    count: installation?.files.reduce((sum, { count }) => sum + count, 0) ?? null,
    bytes_of_records: bytesOf('records'),
    bytes_of_forms: bytesOf('forms'),
    bytes_of_exports: bytesOf('exports'),
  }
}

export const jobsIn = (quick: MaybeQuick, installation: MaybeInstallation): View['jobs'] => {
  const countOf = (wanted: string): number | null =>
    installation?.jobs.reduce((sum, { state, count }) => (state === wanted ? sum + count : sum), 0) ?? null
  return {
    due: countOf('due'),
    later: countOf('later'),
    running: countOf('running'),
    given_up: countOf('given up'),
    failing: (quick?.failing ?? []).map(jobView),
  }
}

export const mailsIn = (quick: MaybeQuick) => ({
  waiting: quick?.mails.waiting ?? null,
  given_up: quick?.mails.givenUp ?? null,
  last_error: quick?.mails.lastError ?? null,
})

export const deliveriesIn = (installation: MaybeInstallation): View['deliveries'] => {
  const countOf = (state: string) => installation?.deliveries.get(state) ?? null
  return {
    pending: countOf('pending'),
    delivered: countOf('delivered'),
    failed: countOf('failed'),
    skipped: countOf('skipped'),
  }
}

export const settingView = ({ group, name, value, isSet, isSecret }: SettingInForce): View['settings'][number] => ({
  group,
  name,
  value,
  is_set: isSet,
  is_secret: isSecret,
})

const verifiedIn = ({ verified }: Quick): View['verified'] =>
  verified === undefined
    ? null
    : {
        ran_at: verified.ranAt.toISOString(),
        records: verified.outcome.records ?? 0,
        files: verified.outcome.files ?? 0,
        differences: verified.outcome.differences ?? 0,
      }

type Read = Pick<View, 'measured_at' | 'counts' | 'failing_services' | 'verified'>

export const readIn = (quick: MaybeQuick): Read => {
  if (quick === undefined) return { measured_at: null, counts: null, failing_services: [], verified: null }
  const { activePeople, ...counts } = quick.counts
  return {
    measured_at: quick.at.toISOString(),
    counts: { ...counts, active_people: activePeople },
    failing_services: quick.services.map(serviceView),
    verified: verifiedIn(quick),
  }
}
