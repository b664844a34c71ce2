import { isDatabaseUnavailable } from '../platform/db/index.js'
import { serve } from '../serve.js'
import { CommandError, print, readConfig } from './command.js'

export const serveCommand = async (): Promise<void> => {
  const config = readConfig()
  const server = await serve(config, print).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') {
      throw new CommandError(`Another program listens on this port already: ${error.message}. Set PORT to another one.`)
    }
    if (isDatabaseUnavailable(error)) {
      throw new CommandError(`The database of DATABASE_URL cannot be reached: ${error.message}`)
    }
    throw error
  })
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      // The second time means now.
      if (isStopping) process.exit(1)
      isStopping = true
      print('Stopping: finishing what is in flight…\n')
      await server.stop()
      print('Stopped.\n')
      process.exit(0)
    })
  }
}
