// A form is edited in one tab of a browser at a time: nobody overtakes themselves and merges with what they typed in another tab.
import { onScopeDispose, ref } from 'vue'
import { type Held, hold } from '@/base/locks'
import { keyOf, type WorkOf } from './kept-work'

/** Whoever has it keeps the last word and gives it; a tab that does not answer is asleep. */
const patienceMilliseconds = 3000

const channelName = 'sheaf-editor'
const lockOf = (of: WorkOf): string => `sheaf-editor-${keyOf(of)}`

const take = async (name: string, takesOver: boolean): Promise<Held | undefined> => {
  const free = await hold(name)
  if (free !== undefined || !takesOver) return free
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(name)
  channel.close()
  return (await hold(name, { wait: patienceMilliseconds })) ?? hold(name, { byForce: true })
}

/** `leave` closes it. It keeps what was typed, unless another tab took it by force and has gone on already. */
export const useOneTab = (leave: (how: { mayKeep: boolean }) => Promise<void>) => {
  const isElsewhere = ref(false)
  let name: string | undefined
  let held: Held | undefined

  const release = () => {
    held?.release()
    held = undefined
    name = undefined
  }
  const giveAway = async (mayKeep: boolean) => {
    isElsewhere.value = true
    await leave({ mayKeep })
    release()
  }
  /** False where another tab has it. */
  const enter = async (of: WorkOf, { takesOver = false } = {}): Promise<boolean> => {
    const wanted = lockOf(of)
    if (name === wanted) return true
    const taken = await take(wanted, takesOver)
    isElsewhere.value = taken === undefined
    if (taken === undefined) return false
    release()
    name = wanted
    held = taken
    void taken.lost.then(() => {
      if (held === taken) void giveAway(false)
    })
    return true
  }
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }) => {
    if (name !== undefined && data === name) void giveAway(true)
  })
  onScopeDispose(() => {
    channel.close()
    release()
  })
  return { isElsewhere, enter, release }
}
