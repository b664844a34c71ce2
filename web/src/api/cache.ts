// How long answers are kept. What is kept is shown at once, and asked for again behind it.
import { PiniaColada, useQueryCache } from '@pinia/colada'
import { createPinia } from 'pinia'
import type { App } from 'vue'
import { onBack } from './connection'
import { ApiError } from './errors'
import { onSessionChange } from './session'

export const installCache = (app: App): void => {
  app.use(createPinia())
  app.use(PiniaColada, {
    queryOptions: {
      /** Within this time an answer is taken as it is. */
      staleTime: 10_000,
      /** For going back and forth between pages. */
      gcTime: 600_000,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
    },
  })
  // Whoever asks for something to be refreshed does not wait for it: what became of it stands with what was asked, for the page to
  // show. It is no fault of the program.
  addEventListener('unhandledrejection', (event) => {
    if (event.reason instanceof ApiError) event.preventDefault()
  })
  app.runWithContext(() => {
    const cache = useQueryCache()
    onBack(() => void cache.invalidateQueries())
    // Signed in: they may see more than a visitor. Where the person changes, the page is loaded anew, and nothing is kept.
    onSessionChange((_now, before) => {
      if (before === null) void cache.invalidateQueries()
    })
  })
}
