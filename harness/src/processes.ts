// What Linux tells of processes.
import { readdirSync, readFileSync } from 'node:fs'

const parentOf = (pid: string): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return -1
  }
}

/** A process and everything below it. */
export const familyOf = (root: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(name) }))
  const family = [root]
  for (const pid of family) family.push(...parents.filter(({ parent }) => parent === pid).map((one) => one.pid))
  return family
}

/** Seconds on a core of all its threads. The scheduler's own figure: the ticks of `stat` are 10 ms long. */
export const cpuOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')
      return sum + Number(nanoseconds) / 1e9
    }, 0)
  } catch {
    return 0
  }
}
