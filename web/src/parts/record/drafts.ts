// What was typed for a record and is not saved yet: each record has its own, until this tab is closed or somebody else signs in.
import { computed, shallowReactive, type WritableComputedRef } from 'vue'
import type { Question } from '@/api/form-model'
import type { DataRecord } from '@/api/records'
import { onSessionChange, username } from '@/api/session'
import { holdUnsaved } from '@/base/unsaved'
import type { EntryPath } from './answers'

/** One answer that is being changed. */
export interface Edit {
  readonly formId: number
  readonly question: Question
  path: EntryPath
  /** The version of the record that it changes: where somebody was faster, the server says so. */
  base: DataRecord
  /** As in the field; for choices their names. */
  typed: string
  initial: string
  fault: string | undefined
  conflict: { readonly isThis: boolean; readonly now: string } | undefined
  isBusy: boolean
  /** The entry that it stood in is not there any more. */
  isLost: boolean
  /** It was opened just now: the focus goes there, once. */
  isFresh: boolean
}

const texts = shallowReactive(new Map<string, string>())
const edits = shallowReactive(new Map<string, readonly Edit[]>())

export const isUnsaved = (edit: Edit): boolean => edit.isLost || edit.typed !== edit.initial

const keyOf = ({ formId, record }: { formId: number; record: Pick<DataRecord, '_id'> }) => `${formId}/${record._id}`

export const editsOf = (formId: number, record: Pick<DataRecord, '_id'>): readonly Edit[] =>
  edits.get(keyOf({ formId, record })) ?? []

const put = (formId: number, record: Pick<DataRecord, '_id'>, list: readonly Edit[]) => {
  const key = keyOf({ formId, record })
  if (list.length === 0) edits.delete(key)
  else edits.set(key, list)
}

/** Opens an edit; those in which nothing was typed close. */
export const addEdit = (edit: Edit): void => {
  const kept = editsOf(edit.formId, edit.base).filter((one) => isUnsaved(one) || one.isBusy)
  put(edit.formId, edit.base, [...kept, edit])
}

export const removeEdit = (edit: Edit): void =>
  put(
    edit.formId,
    edit.base,
    editsOf(edit.formId, edit.base).filter((one) => one !== edit),
  )

interface Draft {
  readonly text: WritableComputedRef<string>
  /** After it was sent; what was typed since then stays. */
  readonly sent: (text: string) => void
}

/** What is being written about one record: a note, a label, a reason. */
export const useDraft = (recordId: number, of: 'note' | 'label' | 'reason'): Draft => {
  const key = `${recordId}/${of}`
  const set = (now: string) => {
    if (now === '') texts.delete(key)
    else texts.set(key, now)
  }
  const text = computed({ get: () => texts.get(key) ?? '', set })
  return {
    text,
    sent: (was) => {
      if (text.value.trim() === was) set('')
    },
  }
}

let owner = username.value
onSessionChange((now) => {
  if (now === null || now.username === owner) return
  owner = now.username
  forget()
})

const forget = () => {
  texts.clear()
  edits.clear()
}
holdUnsaved({ has: () => texts.size > 0 || [...edits.values()].flat().some(isUnsaved), forget })
