// What one tab, or the worker, tells the others: something that is kept has changed; give me that draft.
export type News = { readonly kind: 'changed' } | { readonly kind: 'give'; readonly id: string }

const name = 'sheaf-fill'
const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : undefined
const listeners = new Set<(news: News) => void>()

const isNews = (value: unknown): value is News => typeof value === 'object' && value !== null && 'kind' in value

channel?.addEventListener('message', ({ data }) => {
  if (isNews(data)) for (const hear of listeners) hear(data)
})

/** Others only: who asks for a draft does not ask itself. */
export const ask = (news: News): void => channel?.postMessage(news)

export const onNews = (listener: (news: News) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Here and everywhere. */
export const tellChanged = (): void => {
  const news: News = { kind: 'changed' }
  ask(news)
  for (const hear of listeners) hear(news)
}

/** Called when anything that is kept has changed, in this tab, in another or in the worker. */
export const onKept = (listener: () => void): (() => void) =>
  onNews(({ kind }) => {
    if (kind === 'changed') listener()
  })
