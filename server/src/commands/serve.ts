import { serve } from '../serve.js'
import { inWords, print, readConfig } from './command.js'

/** Signals are heeded from the first moment: one that comes while everything is being opened stops it when it is open. */
export const serveCommand = async (): Promise<void> => {
  const config = readConfig()
  let isStopping = false
  let exitCode = 0
  const starting = serve(config, print, () => {
    exitCode = 1
    process.emit('SIGTERM')
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      // The second time means now.
      if (isStopping) process.exit(1)
      isStopping = true
      print('Stopping: finishing what is in flight…\n')
      const server = await starting.catch(() => undefined)
      await server?.stop()
      print('Stopped.\n')
      process.exit(exitCode)
    })
  }
  await starting.catch((error: unknown) => {
    throw inWords(error)
  })
}
