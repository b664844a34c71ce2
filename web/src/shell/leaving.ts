// Signing out. It ends what was typed, so that is asked about while there is still a session to go on with. What was filled in and
// waits to be sent stays in the browser for this person; forms that were kept for them go.
import { ref } from 'vue'
import { asApiError, session, signOut } from '@/api'
import { toast } from '@/base/toasts'
import { forgetUnsaved, hasUnsaved } from '@/base/unsaved'
import { keeping } from './keeping'

export const isAskedToLeave = ref(false)
/** Filled forms that nobody has sent yet. */
export const unsent = ref(0)

/** What was typed, and who was here, is forgotten only when the session has ended: without a line the person stays. */
export const leaveUnsaved = async (): Promise<void> => {
  isAskedToLeave.value = false
  const who = session.value
  // Before the session ends: the line may be lost afterwards.
  const kept = await keeping()
  try {
    await signOut('/', async () => {
      forgetUnsaved()
      if (who) await kept?.forgetPerson(who)
    })
  } catch (error) {
    toast(asApiError(error).message, { kind: 'fault' })
  }
}

export const leave = async (): Promise<void> => {
  const who = session.value
  unsent.value = who ? ((await (await keeping())?.unsentOf(who)) ?? 0) : 0
  if (hasUnsaved() || unsent.value > 0) isAskedToLeave.value = true
  else await leaveUnsaved()
}
