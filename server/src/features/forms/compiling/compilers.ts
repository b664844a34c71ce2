// Compiling for many: each account has one form in hand at a time, and there is a thread more than one account can keep
// busy. So somebody else's form is compiled at once, whatever one account sends.
import { type FormCompiler, openFormCompiler } from '@sheaf/xlsform/thread'
import { budgets } from '../../../budgets.js'
import { type FairBounds, fairGate } from '../../../platform/concurrency/index.js'
import type { Caller } from '../../../platform/http/index.js'

interface Bounds extends FairBounds {
  readonly milliseconds: number
}

export interface Compilers {
  /** Whatever it is asked for waits in the line of this account. */
  forAccount(account: Pick<Caller, 'id'>): FormCompiler
  close(): Promise<void>
}

export const openCompilers = ({ milliseconds, ...bounds }: Bounds = budgets.compiler): Compilers => {
  const inLine = fairGate(bounds)
  const threads = Array.from({ length: bounds.atOnce }, () => openFormCompiler({ timeoutMilliseconds: milliseconds }))
  const close = async () => {
    await Promise.all(threads.map((thread) => thread.close()))
  }
  return {
    forAccount: ({ id }) => {
      const ask = <T>(work: (compiler: FormCompiler) => Promise<T>): Promise<T> =>
        inLine(String(id), (lane) => work(threads[lane] as FormCompiler))
      return {
        compile: (bytes, options) => ask((compiler) => compiler.compile(bytes, options)),
        read: (bytes) => ask((compiler) => compiler.read(bytes)),
        rewrite: (xml, changes) => ask((compiler) => compiler.rewrite(xml, changes)),
        tables: (bytes) => ask((compiler) => compiler.tables(bytes)),
        close,
      }
    },
    close,
  }
}
