import { letNewSpaceWiden } from '../new-space.js'
import { serve } from '../serve.js'
import { failInFirst, isWorker } from '../workers.js'
import { inWords, print, readConfig } from './command.js'

/** Signals are heeded from the first moment: one that comes while everything is being opened stops it when it is open. */
export const serveCommand = async (): Promise<void> => {
  const config = readConfig()
  let isStopping = false
  let exitCode = 0
  // A worker says nothing of its own: the first process speaks for all of them.
  const say = isWorker ? () => undefined : print
  const starting = serve(config, say, () => {
    exitCode = 1
    process.emit('SIGTERM')
  })
  // Ctrl-C reaches every process of a terminal; workers wait for the first one's word.
  if (isWorker) process.on('SIGINT', () => undefined)
  for (const signal of isWorker ? (['SIGTERM'] as const) : (['SIGTERM', 'SIGINT'] as const)) {
    process.on(signal, async () => {
      // The second time means now.
      if (isStopping) process.exit(1)
      isStopping = true
      say('Stopping: finishing what is in flight…\n')
      const server = await starting.catch(() => undefined)
      await server?.stop()
      say('Stopped.\n')
      process.exit(exitCode)
    })
  }
  await starting.then(letNewSpaceWiden, (error: unknown) => {
    if (!isWorker) throw inWords(error)
    failInFirst((inWords(error) as Error).message)
  })
}
