// The other end of thread.ts: runs in a thread of its own.
import { parentPort } from 'node:worker_threads'
import { compile } from '../compile.js'
import { parseXForm } from '../parse/parse-xform.js'
import { XlsFormError } from '../problems.js'
import type { Outcome, Request, Response, Work } from './messages.js'

const outcomeOf = (work: Work): Outcome => {
  try {
    return { value: work.kind === 'compile' ? compile(work.bytes, work.options) : parseXForm(work.xml) }
  } catch (error) {
    if (error instanceof XlsFormError) return { problems: error.problems }
    throw error
  }
}

parentPort?.on('message', ({ id, work }: Request) => {
  parentPort?.postMessage({ id, outcome: outcomeOf(work) } satisfies Response)
})
