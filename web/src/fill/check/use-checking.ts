// One file at a time, in a worker that is ended when it takes too long, when somebody stops it, or when another file comes. The
// worker is there before a file is: from then on nothing is asked of the server.
import { onScopeDispose, ref, shallowRef } from 'vue'
import type { Answer, Asked, Checked, Wish } from './messages'

export type State = 'idle' | 'checking' | 'done' | 'stopped' | 'slow' | 'broken'

const longestMs = 20_000

export const useChecking = () => {
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

  /** One question at a time; the answer of a worker that was ended never comes. */
  const ask = (asked: Asked | Wish, take: (answer: Answer) => void) => {
    const own = worker
    timer = setTimeout(() => end('slow'), longestMs)
    own.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (own !== worker) return
      clearTimeout(timer)
      take(data)
    }
    own.onerror = () => own === worker && end('broken')
    own.postMessage(asked)
  }

  /** Nothing is shown any more of what came before, and nothing of it comes. */
  const clear = (how: State = 'idle') => {
    if (state.value === 'checking') end(how)
    clearTimeout(timer)
    state.value = how
    checked.value = null
  }

  const check = (asked: Asked) => {
    clear('checking')
    ask(asked, (answer) => {
      checked.value = 'checked' in answer ? answer.checked : null
      state.value = 'checked' in answer ? 'done' : 'broken'
    })
  }

  onScopeDispose(() => {
    clearTimeout(timer)
    worker.terminate()
  })
  return { state, checked, check, ask, clear, stop: () => end('stopped') }
}
