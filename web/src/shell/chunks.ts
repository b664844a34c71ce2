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

/** Once: where the newer version lacks it, too, loading it again and again helps nobody. */
const openOnce = (path: string): boolean => {
  const mark = 'sheaf-reloaded'
  if (sessionStorage.getItem(mark) === path) return false
  sessionStorage.setItem(mark, path)
  location.assign(path)
  return true
}

const triedAgain = new Set<string>()

/** Opens `path` anew where the chunk is gone; where it is not, it says so, and `again` tries once more. Chromium before 156
 * remembers that a chunk did not come, and asks nobody again: tried again in vain while the server has it, the page is opened
 * anew, too. */
export const sayMissing = async (error: unknown, path: string, again?: () => unknown): Promise<void> => {
  const isSecond = triedAgain.delete(path)
  try {
    const isToBeOpened = (await isGone(error instanceof Error ? error.message : '')) || isSecond
    if (isToBeOpened && openOnce(path)) return
  } catch {
    lost()
  }
  const run = () => {
    triedAgain.add(path)
    return again?.()
  }
  toast(t(isOffline.value ? 'notLoadedOffline' : 'notLoaded'), {
    kind: 'fault',
    ...(again && { action: { label: t('tryAgain'), run } }),
  })
}
