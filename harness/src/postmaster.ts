import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The cluster of the PostgreSQL that a server brings along. */
export const clusterOf = (dataDir: string): string => join(dataDir, 'postgres', 'cluster')

/** Its process, and the folder of its socket, as it wrote them down. */
export const postmasterOf = (dataDir: string) => {
  const lines = readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')
  return { pid: Number(lines[0]), socketFolder: lines[4] ?? '' }
}
