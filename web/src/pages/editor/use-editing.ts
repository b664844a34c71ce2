// A form while it is edited: its workbook, what of it is kept in this browser, and what of it is on the server.
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Draft } from '@/api/drafts'
import { makeForm, type Overtaken, overtakenBy, type SavedAs, saveDraft } from '@/api/editor'
import { getForm } from '@/api/forms'
import { holdUnsaved } from '@/base/unsaved'
import { applyEdit } from '@/parts/sheets/steps'
import { useWorkbook } from '@/parts/sheets/use-workbook'
import { fromSheets, holdsTheSame, toSheets, type Workbook } from '@/parts/sheets/workbook'
import { writeFile } from './files'
import { forgetWork, keepWork, newUuid, type WorkOf } from './kept-work'
import { idFor, idOf, isBlank, type Opened, openStored, putId, titleOf } from './open-form'
import { nameLabelled } from './questions'

/** What was typed is in the browser's store this long after the last key. */
const restMilliseconds = 300

/** Saves that may have arrived, before the one that is told. */
const mostSent = 5

/** The one that is open, if any: closing the window warns only where something could be lost. */
let isAtRisk: () => boolean = () => false
holdUnsaved({ has: () => isAtRisk(), forget: () => undefined })

export const useEditing = (opened: Opened, project: () => number) => {
  const model = useWorkbook(opened.work?.base ?? opened.sheets, nameLabelled)
  if (opened.work !== undefined) model.replace(fromSheets(opened.work.sheets))
  const of = ref<WorkOf>(opened.of)
  const savedAs = ref<SavedAs>(opened.work?.savedAs ?? opened.savedAs)
  const draft = shallowRef<Draft>()
  const overtaken = shallowRef<Overtaken | undefined>(opened.isOvertaken ? { by: null, at: null } : undefined)
  const keeping = ref<'kept' | 'waiting' | 'failed'>('kept')
  let formId = opened.idString
  let sent: readonly Workbook[] = (opened.work?.sent ?? []).map((sheets) => fromSheets(sheets))

  let timer: ReturnType<typeof setTimeout> | undefined
  let work: Promise<void> = Promise.resolve()
  let isGiven = false
  const id = newUuid()
  let former = opened.work?.id
  /** Only one's own: another tab may have unsaved work of the same form. */
  const forget = async () => {
    await forgetWork(id)
    if (former !== undefined) await forgetWork(former)
    former = undefined
  }
  const store = async () => {
    if (isGiven) return
    const book = model.withTyped.value
    if (!model.isChanged.value && ('form' in of.value || isBlank(book))) {
      await forget()
      keeping.value = 'kept'
      return
    }
    const kept = {
      id,
      of: { ...of.value },
      project: project(),
      sheets: toSheets(book),
      base: toSheets(model.saved.value),
      savedAs: { ...savedAs.value },
      sent: sent.map(toSheets),
      at: Date.now(),
    }
    const isKept = await keepWork(kept, former)
    if (isKept) former = undefined
    if (book === model.withTyped.value) keeping.value = isKept ? 'kept' : 'failed'
  }
  /** At once, one after the other. */
  const keep = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    work = work.then(store)
    return work
  }
  const keepSoon = () => {
    keeping.value = 'waiting'
    clearTimeout(timer)
    timer = setTimeout(() => void keep(), restMilliseconds)
  }
  watch(model.withTyped, keepSoon)
  // A file or a template is unsaved work before anybody types.
  if ('project' in opened.of) keepSoon()
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
    writeFile(model.sheets.value, idOf(model.book.value) || (formId ?? idFor(titleOf(model.book.value))))

  /** A form keeps its id for good: another one in its settings could never be saved. True where it was put back. */
  const putIdBack = (): boolean => formId !== null && model.apply(putId(model.book.value, formId))

  const settle = (saved: Draft, book: Workbook) => {
    draft.value = saved
    overtaken.value = undefined
    savedAs.value = { revision: saved.revision, version: saved.based_on }
    model.markSaved(book)
  }
  /** Nobody knows of a save whose answer is lost whether it arrived, also when the page is loaded anew meanwhile. */
  const remember = (book: Workbook) => {
    sent = [...sent.slice(-mostSent), book]
    void keep()
  }
  /** Sent again after an answer that was lost, it has been made already: then what is typed now is saved in it. */
  const make = async (where: { project: number; uuid: string }): Promise<void> => {
    const book = model.book.value
    remember(book)
    const file = await asFile()
    const { made, isThere } = await makeForm(where.project, where.uuid, file).catch((error: unknown) => {
      if (overtakenBy(error) === undefined) throw error
      // What it made was published or thrown away since: this is another form.
      return makeForm(where.project, newUuid(), file)
    })
    formId = made.id_string
    of.value = { form: made.form }
    if (!isThere) {
      sent = []
      return settle(made, withItsId(book))
    }
    // A save since then, also of the same account, is none that this one was made of.
    savedAs.value = (await ownSave(made.form)) ?? { revision: null, version: null }
    await replace(made.form)
  }
  /** The server may have given another than was asked for. */
  const withItsId = (book: Workbook): Workbook => {
    const edit = formId === null ? null : putId(book, formId)
    return edit === null ? book : applyEdit(book, edit)
  }
  const replace = async (form: number): Promise<void> => {
    putIdBack()
    const book = model.book.value
    const file = await asFile()
    remember(book)
    const saved = await saveDraft(form, file, savedAs.value).catch(async (error: unknown) => {
      const own = overtakenBy(error) === undefined ? undefined : await ownSave(form)
      if (own === undefined) throw error
      savedAs.value = own
      return saveDraft(form, file, own)
    })
    sent = []
    settle(saved, book)
  }
  /** What is on the server, where it is what was sent from here: then nobody was faster. */
  const ownSave = async (form: number): Promise<SavedAs | undefined> => {
    const { opened: stored } = await openStored(await getForm(form))
    if (stored === undefined) return undefined
    const there = withItsId(fromSheets(stored.sheets))
    return sent.some((book) => holdsTheSame(withItsId(book), there)) ? stored.savedAs : undefined
  }

  const tell = (error: unknown) => {
    overtaken.value = overtakenBy(error) ?? overtaken.value
  }
  /** Throws what the server says; where somebody was faster, that is known as well. */
  const save = async (): Promise<{ formId: string; isIdPutBack: boolean }> => {
    const before = idOf(model.book.value)
    try {
      if ('form' in of.value) await replace(of.value.form)
      else await make(of.value)
    } catch (error) {
      tell(error)
      throw error
    } finally {
      putIdBack()
      await keep()
    }
    return { formId: formId ?? '', isIdPutBack: before !== idOf(model.book.value) }
  }

  /** What is typed from now on is typed into what somebody else saved: undo does not take theirs away. */
  const continueFrom = (base: Opened): void => {
    savedAs.value = base.savedAs
    model.markSaved(fromSheets(base.sheets))
    model.forgetPast()
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
    tell,
    continueFrom,
    startOver,
    give,
    isUnsafe,
  }
}

export type Editing = ReturnType<typeof useEditing>
