// How long until the server answers: the first time, again, and after kill -9; and what it holds when idle.
import { setTimeout } from 'node:timers/promises'
import type { Figure } from '../report.js'
import { memoryOf, newDataDir, removeDataDir, startServer } from '../server.js'
import type { Workload } from '../workload.js'

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Idle connections are given back after ten seconds; before that it is not idle. */
const secondsUntilIdle = 15

const idleMemory = async (dataDir: string, progress: (share: number) => void): Promise<Figure[]> => {
  const idle = await startServer(dataDir)
  for (let i = 0; i < secondsUntilIdle; i++) {
    progress(i / secondsUntilIdle)
    await setTimeout(1000)
  }
  const { server, database } = memoryOf(idle.pid)
  await idle.stop()
  const both = server + database
  return [
    { name: 'idle memory of the server', value: server, unit: 'MB' },
    { name: 'idle memory of the database', value: database, unit: 'MB' },
    { name: 'idle memory of both', value: both, unit: 'MB', aim: { text: '< 150 MB', isMet: both < 150 } },
  ]
}

export const start: Workload = {
  name: 'start',
  description: 'time to ready, and memory when idle',
  run: async ({ isQuick, progress }) => {
    const rounds = isQuick ? 1 : 5
    const dataDir = newDataDir()
    try {
      progress(0, 'first start')
      const first = await startServer(dataDir)
      await first.stop()
      const times = { again: [] as number[], killed: [] as number[] }
      for (let i = 0; i < rounds; i++) {
        progress((i + 1) / (rounds + 3), 'starting again, and after kill -9')
        const again = await startServer(dataDir)
        times.again.push(again.secondsToReady)
        await again.stop('SIGKILL')
        const killed = await startServer(dataDir)
        times.killed.push(killed.secondsToReady)
        await killed.stop()
      }
      const rest = (share: number) => progress((rounds + 1 + share) / (rounds + 3), 'resting until it is idle')
      const memory = isQuick ? [] : await idleMemory(dataDir, rest)
      const again = median(times.again)
      return {
        workload: 'start',
        figures: [
          { name: 'first start until ready', value: first.secondsToReady, unit: 's' },
          { name: 'second start until ready', value: again, unit: 's', aim: { text: '≤ 2 s', isMet: again <= 2 } },
          { name: 'start after kill -9 until ready', value: median(times.killed), unit: 's' },
          ...memory,
        ],
      }
    } finally {
      removeDataDir(dataDir)
    }
  },
}
