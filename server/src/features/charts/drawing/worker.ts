// The other end of thread.ts: runs in a thread of its own.
import { parentPort } from 'node:worker_threads'
import type { Done, Work } from './messages.js'
import { render } from './render.js'

const done = ({ number, drawing, widths }: Work): Done => {
  try {
    return { number, pictures: widths.map((width) => render(drawing, width)) }
  } catch (fault) {
    return { number, fault }
  }
}

parentPort?.on('message', (work: Work) => parentPort?.postMessage(done(work)))
