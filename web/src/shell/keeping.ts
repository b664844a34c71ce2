// Who is here, told to the pages where forms are filled in: without a line they show what belongs to whoever was here last.
import { watch } from 'vue'
import { isAskedToSignIn, session } from '@/api/session'

/** What lies in the browser, loaded beside the page: nobody waits for it. */
export const keeping = () => import('@/fill/keep/leaving').catch(() => undefined)

/** A session that has ended is nobody's until somebody signs in again. */
export const rememberWhoIsHere = (): void => {
  watch(
    [session, isAskedToSignIn],
    async ([now, isOver]) => {
      if (now !== undefined) await (await keeping())?.rememberAccount(isOver ? null : now)
    },
    { immediate: true },
  )
}
