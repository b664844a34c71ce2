// Signing out. It ends what was typed, so that is asked about while there is still a session to go on with. What was filled in and
// waits to be sent stays in the browser for this person; forms that were kept for them go.
import { ref } from 'vue'
import { asApiError, signOut, username } from '@/api'
import { toast } from '@/base/toasts'
import { forgetUnsaved, hasUnsaved } from '@/base/unsaved'

export const isAskedToLeave = ref(false)
/** Filled forms that nobody has sent yet. */
export const unsent = ref(0)

/** What lies in the browser, loaded when it is needed: nobody opens a page in order to sign out. */
const keeping = () => import('@/fill/keep/leaving').catch(() => undefined)

/** What was typed is forgotten only when the session has ended: without a line the person stays. */
export const leaveUnsaved = async (): Promise<void> => {
  isAskedToLeave.value = false
  const whose = username.value
  try {
    await (await keeping())?.forgetPerson(whose)
    await signOut('/', forgetUnsaved)
  } catch (error) {
    toast(asApiError(error).message, { kind: 'fault' })
  }
}

export const leave = async (): Promise<void> => {
  unsent.value = (await (await keeping())?.unsentOf(username.value)) ?? 0
  if (hasUnsaved() || unsent.value > 0) isAskedToLeave.value = true
  else await leaveUnsaved()
}
