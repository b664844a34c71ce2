// What the compiler says of a workbook, a moment after it was changed. Only what was asked for last counts.
import type { RawSheet } from '@sheaf/xlsform/sheets'
import { onScopeDispose, type Ref, ref, shallowRef, watch } from 'vue'
import type { Asked, Checked, CheckedForm, PlacedProblem } from './check-messages'

export const pauseMilliseconds = 120

/** The part of a worker that is needed here. */
export interface Compiler {
  ask(asked: Asked): void
  answered(answer: (checked: Checked) => void): void
  failed(fail: () => void): void
  close(): void
}

const openCompiler = (): Compiler => {
  const worker = new Worker(new URL('./check.worker.ts', import.meta.url), { type: 'module' })
  return {
    ask: (asked) => worker.postMessage(asked),
    answered: (answer) => worker.addEventListener('message', ({ data }: MessageEvent<Checked>) => answer(data)),
    failed: (fail) => worker.addEventListener('error', fail),
    close: () => worker.terminate(),
  }
}

export interface CheckOptions {
  /** What the form is called where its settings say nothing. */
  readonly fileName?: () => string
  readonly open?: () => Compiler
}

export const useCheck = (sheets: Readonly<Ref<RawSheet[]>>, { fileName, open = openCompiler }: CheckOptions = {}) => {
  const problems = shallowRef<readonly PlacedProblem[]>([])
  const warnings = shallowRef<readonly PlacedProblem[]>([])
  const form = shallowRef<CheckedForm | null>(null)
  /** The last one that was without mistakes: for a preview that stays while somebody types. */
  const lastForm = shallowRef<CheckedForm | null>(null)
  const isChecking = ref(true)
  /** The compiler itself failed; what is shown is older than what was typed. */
  const hasFailed = ref(false)
  /** What the answers are about. */
  const checked = shallowRef<readonly RawSheet[]>([])

  let compiler: Compiler | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let number = 0
  let isBusy = false
  let isWaiting = false
  let sent: RawSheet[] = []

  const end = () => {
    compiler?.close()
    compiler = undefined
    isBusy = false
  }
  const receive = (answer: Checked) => {
    isBusy = false
    if (isWaiting) return ask()
    if (answer.number !== number) return
    problems.value = answer.problems
    warnings.value = answer.warnings
    form.value = answer.form
    lastForm.value = answer.form ?? lastForm.value
    checked.value = sent
    hasFailed.value = false
    isChecking.value = false
  }
  const fail = () => {
    // Started anew by the next change.
    end()
    hasFailed.value = true
    isChecking.value = false
  }
  const ask = () => {
    isWaiting = isBusy
    // One at a time: what was typed meanwhile is asked for as soon as the answer is there, not in a queue.
    if (isBusy) return
    if (compiler === undefined) {
      compiler = open()
      compiler.answered(receive)
      compiler.failed(fail)
    }
    isBusy = true
    number += 1
    sent = sheets.value
    compiler.ask({ number, sheets: sent, fileName: fileName?.() ?? 'form.xlsx' })
  }
  watch(sheets, () => {
    isChecking.value = true
    clearTimeout(timer)
    timer = setTimeout(ask, pauseMilliseconds)
  })
  ask()
  onScopeDispose(() => {
    clearTimeout(timer)
    end()
  })
  return { problems, warnings, form, lastForm, isChecking, hasFailed, checked }
}

export type Check = ReturnType<typeof useCheck>
