// The compiler in a thread of its own: a form of 5,000 questions takes 400 ms, in which a server would answer nobody. A
// workbook that eats memory ends the thread, not the program.
import { Worker } from 'node:worker_threads'
import type { CompileOptions } from '../compile.js'
import { XlsFormError } from '../problems.js'
import type { XFormChanges } from '../rewrite/rewrite.js'
import type { SheetTable } from '../workbook/sheet-tables.js'
import type { FormDraft, Message, Outcome, RewrittenForm, Work } from './messages.js'

export interface FormCompiler {
  /** As `compile`. */
  compile(bytes: Uint8Array, options?: CompileOptions): Promise<FormDraft>
  /** An XForm in whatever encoding it declares. */
  read(bytes: Uint8Array): Promise<FormDraft>
  /** As `rewriteXForm`, with the model of what comes out. */
  rewrite(xml: string, changes: XFormChanges): Promise<RewrittenForm>
  /** An .xlsx or .xls file as tables of CSV in UTF-8: whatever is in it, not only forms. The first sheet comes first, behind
   * it those whose rows belong to rows of others. */
  tables(bytes: Uint8Array): Promise<SheetTable[]>
  /** What is still being worked on is refused. */
  close(): Promise<void>
}

export interface FormCompilerOptions {
  /** The thread is started when it is needed and ends when nothing was asked of it for this long. */
  idleMilliseconds?: number
  /** A form that takes longer is refused; waiting for others does not count. */
  timeoutMilliseconds?: number
  memoryMegabytes?: number
}

interface Task {
  readonly work: Work
  settle(outcome: Outcome): void
}

const beyondBounds = (reason: string): Outcome => ({
  problems: [
    {
      code: 'too-large',
      message: `The form ${reason}. Make it smaller, or split it into several forms.`,
      sheet: null,
      row: null,
      column: null,
      value: null,
    },
  ],
})

/** One form at a time, in the order in which they came; what ends the thread is refused, and the next one gets a new
 * thread. */
class CompilerThread {
  readonly #options: Required<FormCompilerOptions>
  readonly #waiting: Task[] = []
  #current: Task | undefined
  #worker: Worker | undefined
  #isReady = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: Required<FormCompilerOptions>) {
    this.#options = options
  }

  ask(work: Work): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#waiting.push({ work, settle: resolve })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const fault = new Error('The compiler was closed')
    for (const { settle } of this.#waiting.splice(0)) settle({ fault })
    this.#settle({ fault })
    await this.#end()
  }

  #next(): void {
    if (this.#isClosed) void this.close()
    if (this.#isClosed || this.#current !== undefined) return
    this.#current = this.#waiting.shift()
    if (this.#current === undefined) {
      this.#rest()
      return
    }
    clearTimeout(this.#timer)
    this.#worker ??= this.#start()
    this.#worker.ref()
    if (this.#isReady) this.#hand(this.#worker, this.#current)
  }

  #hand(worker: Worker, { work }: Task): void {
    const tooLong = () =>
      this.#lose(beyondBounds(`takes longer than ${this.#options.timeoutMilliseconds / 1000} seconds to read`))
    this.#timer = setTimeout(tooLong, this.#options.timeoutMilliseconds)
    worker.postMessage(work)
  }

  /** A thread that waits for work does not keep the program alive. */
  #rest(): void {
    this.#worker?.unref()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#end(), this.#options.idleMilliseconds).unref()
  }

  #settle(outcome: Outcome): void {
    const task = this.#current
    this.#current = undefined
    task?.settle(outcome)
  }

  /** The thread is gone, and with it what it was working on. */
  #lose(outcome: Outcome): void {
    void this.#end()
    this.#settle(outcome)
    this.#next()
  }

  async #end(): Promise<void> {
    const ending = this.#worker
    this.#worker = undefined
    this.#isReady = false
    clearTimeout(this.#timer)
    await ending?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      // Not those of the program: some of them are for its own start.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMegabytes },
    })
    const lose = (outcome: Outcome) => {
      if (worker === this.#worker) this.#lose(outcome)
    }
    worker.on('message', (message: Message) => {
      if (worker === this.#worker) this.#hear(worker, message)
    })
    worker.on('error', (fault: NodeJS.ErrnoException) =>
      lose(fault.code === 'ERR_WORKER_OUT_OF_MEMORY' ? beyondBounds('needs too much memory') : { fault }),
    )
    worker.on('exit', () => lose({ fault: new Error('The thread of the compiler ended') }))
    return worker
  }

  #hear(worker: Worker, message: Message): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      if (this.#current !== undefined) this.#hand(worker, this.#current)
      return
    }
    this.#settle(message.outcome)
    this.#next()
  }
}

export const openFormCompiler = (options: FormCompilerOptions = {}): FormCompiler => {
  const { idleMilliseconds = 30_000, timeoutMilliseconds = 30_000, memoryMegabytes = 1024 } = options
  const thread = new CompilerThread({ idleMilliseconds, timeoutMilliseconds, memoryMegabytes })
  const ask = async (work: Work): Promise<FormDraft | RewrittenForm | SheetTable[]> => {
    const outcome = await thread.ask(work)
    if ('problems' in outcome) throw new XlsFormError(outcome.problems)
    if ('fault' in outcome) throw outcome.fault
    return outcome.value
  }
  return {
    compile: async (bytes, compileOptions = {}) =>
      (await ask({ kind: 'compile', bytes, options: compileOptions })) as FormDraft,
    read: async (bytes) => (await ask({ kind: 'read', bytes })) as FormDraft,
    rewrite: async (xml, changes) => (await ask({ kind: 'rewrite', xml, changes })) as RewrittenForm,
    tables: async (bytes) => (await ask({ kind: 'tables', bytes })) as SheetTable[],
    close: () => thread.close(),
  }
}
