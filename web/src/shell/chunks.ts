// Pages come in chunks. One that does not come is a lost line, or a newer version whose chunks have other names: only then the
// page is loaded anew, because that loses what was typed.
import { isOffline, lost } from '@/api/connection'
import { toast } from '@/base/toasts'
import { useTexts } from '@/texts'
import en from '@/texts/en/shell'

const t = useTexts(en)

/** In the words of the browsers, and of the loader for styles. */
const wordings = /dynamically imported module|importing a module script|module script failed|unable to preload css/i

export const isChunkFault = (error: unknown): boolean => error instanceof Error && wordings.test(error.message)

/** Some browsers say which chunk it was. */
export const addressIn = (message: string): string | undefined =>
  /(?:https?:\/\/[^/\s]{1,255})?\/[^\s?]{1,500}\.(?:js|css)/.exec(message)?.[0]

/** The page as it would be loaded now names another script: this version is gone. */
const isOutdated = async (): Promise<boolean> => {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src')
  const page = await (await fetch('/', { cache: 'no-store' })).text()
  return own !== null && own !== undefined && !page.includes(own)
}

const isGone = async (message: string): Promise<boolean> => {
  const address = addressIn(message)
  if (address === undefined) return isOutdated()
  const { status } = await fetch(address, { cache: 'no-store' })
  return status === 404 || status === 410
}

/** `open` loads the page anew, where the chunk is gone; `again` tries once more, where it is not. */
export const sayMissing = async (error: unknown, open: () => void, again?: () => unknown): Promise<void> => {
  try {
    if (await isGone(error instanceof Error ? error.message : '')) return open()
  } catch {
    lost()
  }
  toast(t(isOffline.value ? 'notLoadedOffline' : 'notLoaded'), {
    kind: 'fault',
    ...(again && { action: { label: t('tryAgain'), run: again } }),
  })
}
