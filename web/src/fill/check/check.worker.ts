// A thread of its own: whatever is in the file, the page can stop it.
import { lookAt } from './look-at'
import type { Asked } from './messages'

addEventListener('message', async ({ data }: MessageEvent<Asked>) => {
  try {
    postMessage({ checked: await lookAt(data) })
  } catch {
    postMessage({ fault: true })
  }
})
