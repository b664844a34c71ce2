// Signing out. It ends what was typed, so that is asked about while there is still a session to go on with.
import { ref } from 'vue'
import { asApiError, signOut } from '@/api'
import { toast } from '@/base/toasts'
import { forgetUnsaved, hasUnsaved } from '@/base/unsaved'

export const isAskedToLeave = ref(false)

/** What was typed is forgotten only when the session has ended: without a line the person stays. */
export const leaveUnsaved = async (): Promise<void> => {
  isAskedToLeave.value = false
  try {
    await signOut('/', forgetUnsaved)
  } catch (error) {
    toast(asApiError(error).message, { kind: 'fault' })
  }
}

export const leave = async (): Promise<void> => {
  if (hasUnsaved()) isAskedToLeave.value = true
  else await leaveUnsaved()
}
