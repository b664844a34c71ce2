// Changing answers of the record that is shown, each a version of its own. Whose answer it is was decided when it was opened: what
// the server says goes there, whichever record is shown by then.
import { computed, type InjectionKey, inject, onScopeDispose, provide, type Ref, shallowReactive, watch } from 'vue'
import { type ApiError, asApiError } from '@/api/errors'
import type { Question } from '@/api/form-model'
import { changeRecord, type DataRecord, getRecord } from '@/api/records'
import { toast } from '@/base/toasts'
import { showNumber, useTexts } from '@/texts'
import en from '@/texts/en/record'
import { answerAt, changeOf, type EntryPath, pathAgain } from './answers'
import { addEdit, type Edit, editsOf, isUnsaved, removeEdit } from './drafts'
import { asInput, readTyped } from './editing'
import { titleOf, wordsOf } from './values'

interface Place {
  readonly question: Question
  readonly path: EntryPath
}

const idOf = ({ question, path }: Place): string =>
  [...path.map(({ repeat, index }) => `${repeat}[${index}]`), question.key].join('/')

const answerOf = ({ base, path, question }: Edit): unknown => answerAt(base, path, question.key)

const inputOf = ({ kind }: Question, value: unknown): string => asInput(kind, typeof value === 'string' ? value : '')

const makeEditing = (options: {
  formId: () => number
  record: Readonly<Ref<DataRecord | undefined>>
  language: () => string
  mayChange: () => boolean
  /** A newer version of a record, be it shown or not. */
  saved: (record: DataRecord, isOurs: boolean) => void
}) => {
  const t = useTexts(en)
  let isGone = false
  const own = computed(() =>
    options.record.value === undefined ? [] : editsOf(options.formId(), options.record.value),
  )
  const open = computed(() => own.value.filter(({ isLost }) => !isLost))

  /** The record is another version now: the answer is looked for in it. */
  const rebase = (edit: Edit, now: DataRecord, isRefused: boolean) => {
    const former = answerOf(edit)
    const path = pathAgain(edit.base, now, edit.path, edit.question.key)
    if (path === undefined) {
      if (isUnsaved(edit)) edit.isLost = true
      else removeEdit(edit)
      return
    }
    edit.path = path
    edit.base = now
    const answer = answerOf(edit)
    const isThis = String(answer ?? '') !== String(former ?? '')
    if (!isUnsaved(edit)) edit.typed = edit.initial = inputOf(edit.question, answer)
    else if (isThis || isRefused) {
      edit.conflict = { isThis, now: wordsOf(edit.question, answer, options.language()) }
    }
  }
  watch(options.record, (now) => {
    if (now === undefined) return
    for (const edit of own.value) {
      if (!edit.isBusy && !edit.isLost && edit.base._uuid !== now._uuid) rebase(edit, now, false)
    }
  })

  const finish = (edit: Edit, now: DataRecord) => {
    const former = edit.base._uuid
    removeEdit(edit)
    // A change of ours moves no entry: others that are open go on from it.
    for (const one of editsOf(edit.formId, now)) if (one.base._uuid === former) one.base = now
    options.saved(now, true)
    toast(t('changed'))
  }

  const wordsOfFault = (edit: Edit, error: ApiError): string => {
    if (error.kind === 'missing') return t('recordGone')
    if (error.kind === 'invalid' && edit.question.kind === 'number') return faultWords('notNumber')
    return Object.values(error.fields).join(' ') || error.message
  }
  const faultWords = (fault: 'notNumber' | 'notWhole') =>
    fault === 'notWhole' ? t('notWhole') : t('notNumber', { example: showNumber(1234.5, { useGrouping: false }) })

  /** Somebody was faster: what they made of it is shown, what was typed stays. Or it was us, and the answer got lost. */
  const meet = async (edit: Edit, value: string | null) => {
    const newer = await getRecord(edit.formId, String(edit.base._id))
    rebase(edit, newer, true)
    if (!edit.isLost && (answerOf(edit) ?? null) === value) return finish(edit, newer)
    options.saved(newer, false)
  }

  const isShown = (edit: Edit) => !isGone && options.record.value?._id === edit.base._id

  const send = async (edit: Edit, value: string | null) => {
    edit.isBusy = true
    edit.fault = edit.conflict = undefined
    try {
      const body = changeOf(edit.base, edit.path, edit.question.key, value)
      finish(edit, await changeRecord(edit.formId, edit.base, body))
    } catch (thrown) {
      const error = asApiError(thrown)
      try {
        if (error.kind === 'conflict') await meet(edit, value)
        else edit.fault = wordsOfFault(edit, error)
      } catch (second) {
        edit.fault = wordsOfFault(edit, asApiError(second))
      }
      // Whoever went on meanwhile does not see what stands beside the field.
      if (editsOf(edit.formId, edit.base).includes(edit) && !isShown(edit)) {
        toast(t('notSavedIn', { record: titleOf(edit.base), why: edit.fault ?? t('conflictTitle') }), { kind: 'fault' })
      }
    } finally {
      edit.isBusy = false
    }
  }

  const tellKept = (formId: number, record: DataRecord) => {
    if (editsOf(formId, record).some((edit) => isUnsaved(edit) && !edit.isBusy)) {
      toast(t('draftKept', { record: titleOf(record) }), { kind: 'note' })
    }
  }
  // Of the one that was shown last: the next may still be on its way.
  let last: { formId: number; record: DataRecord } | undefined
  watch(
    options.record,
    (now) => {
      if (now === undefined) return
      if (last !== undefined && last.record._id !== now._id) tellKept(last.formId, last.record)
      last = { formId: options.formId(), record: now }
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    isGone = true
    if (last !== undefined) tellKept(last.formId, last.record)
  })

  return {
    mayChange: computed(options.mayChange),
    lost: computed(() => own.value.filter(({ isLost }) => isLost)),
    at: (place: Place): Edit | undefined => open.value.find((edit) => idOf(edit) === idOf(place)),
    /** The last entry of a repeat that is being changed, so that it is among those that are shown; -1 for none. */
    lastIn: (repeat: string): number =>
      Math.max(
        -1,
        ...open.value.flatMap(({ path }) => path.filter((step) => step.repeat === repeat).map(({ index }) => index)),
      ),
    begin: ({ question, path }: Place) => {
      const base = options.record.value
      if (base === undefined) return
      const initial = inputOf(question, answerAt(base, path, question.key))
      const state = { fault: undefined, conflict: undefined, isBusy: false, isLost: false, isFresh: true }
      addEdit(
        shallowReactive<Edit>({ formId: options.formId(), question, path, base, typed: initial, initial, ...state }),
      )
    },
    close: removeEdit,
    save: async (edit: Edit): Promise<void> => {
      if (edit.isBusy) return
      const former = answerOf(edit)
      const read = readTyped(edit.question, edit.typed, former)
      if ('fault' in read) edit.fault = faultWords(read.fault)
      else if (read.value === (former ?? null) || (read.value === null && former === '')) removeEdit(edit)
      else await send(edit, read.value)
    },
  }
}

export type Editing = ReturnType<typeof makeEditing>

const key: InjectionKey<Editing> = Symbol('editing')

export const provideEditing = (options: Parameters<typeof makeEditing>[0]): Editing => {
  const editing = makeEditing(options)
  provide(key, editing)
  return editing
}

export const useEditing = (): Editing | undefined => inject(key, undefined)
