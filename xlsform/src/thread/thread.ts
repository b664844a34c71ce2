// The compiler in a thread of its own: a form of 5,000 questions takes 400 ms, in which a server would answer nobody. A
// workbook that eats memory ends the thread, not the program.
import { Worker } from 'node:worker_threads'
import type { CompiledForm, CompileOptions } from '../compile.js'
import type { FormModel } from '../model/model.js'
import { XlsFormError } from '../problems.js'
import type { Outcome, Request, Response, Work } from './messages.js'

export interface FormCompiler {
  /** As `compile`. */
  compile(bytes: Uint8Array, options?: CompileOptions): Promise<CompiledForm>
  /** As `parseXForm`. */
  parse(xml: string): Promise<FormModel>
  close(): Promise<void>
}

export interface FormCompilerOptions {
  /** The thread is started when it is needed and ends when nothing was asked of it for this long. */
  idleMilliseconds?: number
  /** A form that takes longer is refused. */
  timeoutMilliseconds?: number
  memoryMegabytes?: number
}

interface Waiting {
  resolve(outcome: Outcome): void
  reject(error: Error): void
}

const beyondBounds = (reason: string) =>
  new XlsFormError([
    {
      code: 'too-large',
      message: `The form ${reason}. Make it smaller, or split it into several forms.`,
      sheet: null,
      row: null,
      column: null,
      value: null,
    },
  ])

export const openFormCompiler = (options: FormCompilerOptions = {}): FormCompiler => {
  const { idleMilliseconds = 30_000, timeoutMilliseconds = 30_000, memoryMegabytes = 1024 } = options
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  const end = (): Promise<unknown> => {
    const ending = worker
    worker = undefined
    clearTimeout(idle)
    return ending?.terminate() ?? Promise.resolve()
  }

  /** Whatever was asked of a thread that ended is refused: it would only end the next one too. */
  const fail = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    void end()
  }

  const start = (): Worker => {
    const started = new Worker(new URL('./worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    })
    // A thread that waits for work does not keep the program alive.
    started.unref()
    started.on('message', ({ id, outcome }: Response) => {
      waiting.get(id)?.resolve(outcome)
      waiting.delete(id)
      if (waiting.size > 0) return
      started.unref()
      idle = setTimeout(() => void end(), idleMilliseconds).unref()
    })
    started.on('error', (error: NodeJS.ErrnoException) => {
      if (started !== worker) return
      fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? beyondBounds('needs too much memory') : error)
    })
    return started
  }

  const ask = async (work: Work): Promise<CompiledForm | FormModel> => {
    clearTimeout(idle)
    worker ??= start()
    worker.ref()
    lastId += 1
    const id = lastId
    const asked = worker
    let timer: NodeJS.Timeout | undefined
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      timer = setTimeout(() => fail(beyondBounds('takes too long to read')), timeoutMilliseconds)
      asked.postMessage({ id, work } satisfies Request)
    }).finally(() => clearTimeout(timer))
    if ('problems' in outcome) throw new XlsFormError(outcome.problems)
    return outcome.value
  }

  return {
    compile: async (bytes, compileOptions = {}) =>
      (await ask({ kind: 'compile', bytes, options: compileOptions })) as CompiledForm,
    parse: async (xml) => (await ask({ kind: 'parse', xml })) as FormModel,
    close: async () => {
      await end()
    },
  }
}
