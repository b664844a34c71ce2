// The compiler in a thread of its own: a form of 5,000 questions takes 400 ms, in which a server would answer nobody. A
// workbook that eats memory ends the thread, not the program.
import type { CompileOptions } from '../compile.js'
import { XlsFormError } from '../problems.js'
import type { XFormChanges } from '../rewrite/rewrite.js'
import type { SheetTable } from '../workbook/sheet-tables.js'
import { ThreadClosed, ThreadHost, ThreadOutOfMemory, ThreadTooSlow } from './host.js'
import type { FormDraft, Outcome, RewrittenForm, Work } from './messages.js'

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
  /** A form that takes longer is refused; waiting for others or for a core does not count. */
  timeoutMilliseconds?: number
  memoryMegabytes?: number
}

const beyondBounds = (reason: string): XlsFormError =>
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

/** What ended the thread, in words for whoever sent the form. */
const inWords = (fault: unknown): unknown => {
  if (fault instanceof ThreadOutOfMemory) return beyondBounds('needs too much memory')
  if (fault instanceof ThreadTooSlow)
    return beyondBounds(`takes longer than ${fault.milliseconds / 1000} seconds to read`)
  if (fault instanceof ThreadClosed) return new Error('The compiler was closed')
  return fault
}

export const openFormCompiler = (options: FormCompilerOptions = {}): FormCompiler => {
  const { idleMilliseconds = 30_000, timeoutMilliseconds = 30_000, memoryMegabytes = 1024 } = options
  const program = new URL('./worker.js', import.meta.url)
  const thread = new ThreadHost<Work, Outcome>({ program, idleMilliseconds, timeoutMilliseconds, memoryMegabytes })
  const ask = async (work: Work): Promise<FormDraft | RewrittenForm | SheetTable[]> => {
    const outcome = await thread.ask(work).catch((fault: unknown) => {
      throw inWords(fault)
    })
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
