// The other end of thread.ts: runs in a thread of its own.
import { parentPort } from 'node:worker_threads'
import type { ThreadMessage } from '@sheaf/xlsform/thread'
import type { Outcome, Work } from './messages.js'
import { render } from './render.js'

const outcomeOf = ({ drawing, widths }: Work): Outcome => {
  try {
    return { pictures: widths.map((width) => render(drawing, width)) }
  } catch (fault) {
    return { fault }
  }
}

const send = (message: ThreadMessage<Outcome>): void => parentPort?.postMessage(message)

parentPort?.on('message', (work: Work) => send({ kind: 'done', outcome: outcomeOf(work) }))
send({ kind: 'ready' })
