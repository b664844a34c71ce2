// A form while it is edited: its workbook, what of it is kept in this browser, and what of it is on the server.
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Draft } from '@/api/drafts'
import { type Overtaken, overtakenBy, type SavedAs, saveDraft, saveNew } from '@/api/editor'
import { holdUnsaved } from '@/base/unsaved'
import { useWorkbook } from '@/parts/sheets/use-workbook'
import { fromSheets, toSheets } from '@/parts/sheets/workbook'
import { writeFile } from './files'
import { forgetWork, keepWork, type WorkOf } from './kept-work'
import { idFor, idOf, type Opened, titleOf } from './open-form'
import { nameLabelled } from './questions'

/** What was typed is in the browser's store this long after the last key. */
const restMilliseconds = 300

/** The one that is open, if any: closing the window warns only where something could be lost. */
let isAtRisk: () => boolean = () => false
holdUnsaved({ has: () => isAtRisk(), forget: () => undefined })

export const useEditing = (opened: Opened) => {
  const model = useWorkbook(opened.work?.base ?? opened.sheets, nameLabelled)
  if (opened.work !== undefined) model.replace(fromSheets(opened.work.sheets))
  const of = ref<WorkOf>(opened.of)
  const savedAs = ref<SavedAs>(opened.work?.savedAs ?? opened.savedAs)
  const draft = shallowRef<Draft>()
  const overtaken = shallowRef<Overtaken | undefined>(opened.isOvertaken ? { by: null, at: null } : undefined)
  const keeping = ref<'kept' | 'waiting' | 'failed'>('kept')

  let timer: ReturnType<typeof setTimeout> | undefined
  let work: Promise<void> = Promise.resolve()
  let isGiven = false
  const store = async () => {
    if (isGiven) return
    if (!model.isChanged.value && !('project' in of.value)) {
      await forgetWork(of.value)
      keeping.value = 'kept'
      return
    }
    const book = model.withTyped.value
    const isKept = await keepWork(of.value, {
      sheets: toSheets(book),
      base: toSheets(model.saved.value),
      savedAs: { ...savedAs.value },
      at: Date.now(),
    })
    if (book === model.withTyped.value) keeping.value = isKept ? 'kept' : 'failed'
  }
  /** At once, one after the other. */
  const keep = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    work = work.then(store)
    return work
  }
  watch(model.withTyped, () => {
    keeping.value = 'waiting'
    clearTimeout(timer)
    timer = setTimeout(() => void keep(), restMilliseconds)
  })
  const keepNow = () => {
    if (keeping.value === 'waiting') void keep()
  }
  addEventListener('pagehide', keepNow)
  document.addEventListener('visibilitychange', keepNow)
  const isUnsafe = () => model.isChanged.value && keeping.value !== 'kept'
  isAtRisk = isUnsafe
  onScopeDispose(() => {
    keepNow()
    removeEventListener('pagehide', keepNow)
    document.removeEventListener('visibilitychange', keepNow)
    if (isAtRisk === isUnsafe) isAtRisk = () => false
  })

  const asFile = (): Promise<File> =>
    writeFile(model.sheets.value, idOf(model.book.value) || idFor(titleOf(model.book.value)))

  /** Throws what the server says; where somebody was faster, that is known as well. */
  const save = async (): Promise<Draft> => {
    const book = model.book.value
    const file = await asFile()
    const before = of.value
    try {
      const saved =
        'form' in before ? await saveDraft(before.form, file, savedAs.value) : await saveNew(before.project, file)
      draft.value = saved
      overtaken.value = undefined
      savedAs.value = { revision: saved.revision, version: saved.based_on }
      model.markSaved(book)
      of.value = { form: saved.form }
      if (!('form' in before)) await forgetWork(before)
      await keep()
      return saved
    } catch (error) {
      overtaken.value = overtakenBy(error) ?? overtaken.value
      throw error
    }
  }

  /** What is typed from now on is typed into what somebody else saved. */
  const continueFrom = (base: Opened): void => {
    savedAs.value = base.savedAs
    model.markSaved(fromSheets(base.sheets))
    overtaken.value = undefined
    void keep()
  }

  /** Another tab goes on with it: what is kept is no longer written from here. */
  const give = () => {
    isGiven = true
  }

  /** Back to what is on the server. */
  const startOver = async (base: readonly Parameters<typeof fromSheets>[0][number][], now: SavedAs) => {
    savedAs.value = now
    overtaken.value = undefined
    model.load(base)
    await keep()
  }

  return {
    model,
    of,
    savedAs,
    draft,
    overtaken,
    keeping,
    isNew: computed(() => !('form' in of.value)),
    title: computed(() => titleOf(model.book.value)),
    keep,
    asFile,
    save,
    continueFrom,
    startOver,
    give,
    isUnsafe,
  }
}

export type Editing = ReturnType<typeof useEditing>
