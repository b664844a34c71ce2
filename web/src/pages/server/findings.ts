// "Is it well?": what of the server's figures somebody has to know, the worst first.
import type { Server } from '@/api/server'

export type Finding =
  | {
      readonly name: 'databaseAway' | 'migrationsPending' | 'filesAway' | 'filesFull' | 'noRunner' | 'mailFailing'
      readonly isFault: true
    }
  | { readonly name: 'diskFull'; readonly isFault: boolean; readonly free: number }
  | { readonly name: 'differences'; readonly isFault: true; readonly n: number }
  | { readonly name: 'givenUp' | 'servicesFailing'; readonly isFault: false; readonly n: number }
  | { readonly name: 'mailToFiles' | 'neverVerified'; readonly isFault: false }
  | { readonly name: 'verifiedLongAgo'; readonly isFault: false; readonly at: string }

const gigabyte = 1_000_000_000
const dayMilliseconds = 86_400_000
/** Records and files are worth a look at least this often. */
const verifyEveryDays = 35

const diskFindings = ({ disk }: Server): Finding[] => {
  const { free_bytes: free, total_bytes: total } = disk
  if (free === null || total === null || total === 0) return []
  const isFault = free < gigabyte || free / total < 0.03
  return isFault || free / total < 0.1 ? [{ name: 'diskFull', isFault, free }] : []
}

const verifyFindings = ({ verified, counts }: Server, now: number): Finding[] => {
  if (verified === null) return (counts?.records ?? 0) > 0 ? [{ name: 'neverVerified', isFault: false }] : []
  if (verified.differences > 0) return [{ name: 'differences', isFault: true, n: verified.differences }]
  const days = (now - Date.parse(verified.ran_at)) / dayMilliseconds
  return days > verifyEveryDays ? [{ name: 'verifiedLongAgo', isFault: false, at: verified.ran_at }] : []
}

export const findingsOf = (server: Server, now: number): readonly Finding[] => {
  const { health, jobs, mails, failing_services: services, processes } = server
  const found: (Finding | false)[] = [
    health.database === 'unreachable' && { name: 'databaseAway', isFault: true },
    health.migrations === 'pending' && { name: 'migrationsPending', isFault: true },
    health.files === 'unreachable' && { name: 'filesAway', isFault: true },
    health.files === 'full' && { name: 'filesFull', isFault: true },
    processes.job_runners === 0 && { name: 'noRunner', isFault: true },
    health.mail === 'failing' && { name: 'mailFailing', isFault: true },
    ...diskFindings(server),
    ...verifyFindings(server, now),
    (jobs.given_up ?? 0) > 0 && { name: 'givenUp', isFault: false, n: jobs.given_up ?? 0 },
    services.length > 0 && { name: 'servicesFailing', isFault: false, n: services.length },
    !mails.is_sent && { name: 'mailToFiles', isFault: false },
  ]
  const all = found.filter((one) => one !== false)
  return [...all.filter(({ isFault }) => isFault), ...all.filter(({ isFault }) => !isFault)]
}
