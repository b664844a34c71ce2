// One file at a time, in a worker that is ended when it takes too long, when somebody stops it, or when another file comes. The
// worker is there before a file is: from then on nothing is asked of the server.
import { onScopeDispose, ref, shallowRef } from 'vue'
import type { Asked, Checked } from './messages'

export type State = 'idle' | 'checking' | 'done' | 'stopped' | 'slow' | 'broken'

const longestMs = 20_000

export const useChecking = (limitMs = longestMs) => {
  const state = ref<State>('idle')
  const checked = shallowRef<Checked | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = () => new Worker(new URL('./check.worker.ts', import.meta.url), { type: 'module' })
  let worker = start()

  const end = (how: State) => {
    clearTimeout(timer)
    worker.terminate()
    worker = start()
    state.value = how
  }

  const take = (of: Worker, { data }: MessageEvent<{ checked?: Checked }>) => {
    if (of !== worker) return
    clearTimeout(timer)
    checked.value = data.checked ?? null
    state.value = data.checked === undefined ? 'broken' : 'done'
  }

  const check = (asked: Asked) => {
    if (state.value === 'checking') end('idle')
    const own = worker
    own.onmessage = (event) => take(own, event)
    own.onerror = () => own === worker && end('broken')
    state.value = 'checking'
    checked.value = null
    timer = setTimeout(() => end('slow'), limitMs)
    own.postMessage(asked)
  }

  onScopeDispose(() => {
    clearTimeout(timer)
    worker.terminate()
  })
  return { state, checked, check, stop: () => end('stopped') }
}
