// Changing single answers of the record that is shown: one at a time, each a version of its own.
import { computed, type InjectionKey, inject, provide, type Ref, shallowRef } from 'vue'
import { useAction } from '@/api'
import type { Question } from '@/api/form-model'
import { changeRecord, type DataRecord, getRecord } from '@/api/records'
import { useTexts } from '@/texts'
import en from '@/texts/en/record'
import { answerAt, changeOf, type EntryPath } from './answers'
import { wordsOf } from './values'

interface Place {
  readonly question: Question
  readonly path: EntryPath
}

interface Conflict {
  readonly isThis: boolean
  readonly now: string
}

const idOf = ({ question, path }: Place): string =>
  [...path.map(({ repeat, index }) => `${repeat}[${index}]`), question.key].join('/')

const makeEditing = (options: {
  formId: () => number
  record: Readonly<Ref<DataRecord | undefined>>
  language: () => string
  mayChange: () => boolean
  saved: (record: DataRecord, isOurs: boolean) => void
}) => {
  const t = useTexts(en)
  const open = shallowRef<Place>()
  /** What the answer was when the person began. */
  const seen = shallowRef<unknown>()
  const conflict = shallowRef<Conflict>()

  const close = () => {
    open.value = undefined
    conflict.value = undefined
    save.forget()
  }

  /** Somebody was faster: what they made of it is shown, what was typed stays. */
  const meet = async (place: Place) => {
    const record = options.record.value
    if (record === undefined) return
    const newer = await getRecord(options.formId(), String(record._id))
    const now = answerAt(newer, place.path, place.question.key)
    conflict.value = {
      isThis: String(now ?? '') !== String(seen.value ?? ''),
      now: wordsOf(place.question, now, options.language()),
    }
    options.saved(newer, false)
  }

  const save = useAction<{ place: Place; value: string | null }, DataRecord>({
    run: async ({ place, value }) => {
      const record = options.record.value
      if (record === undefined) throw new Error('nothing is shown')
      const body = changeOf(record, place.path, place.question.key, value)
      return changeRecord(options.formId(), record, body)
    },
    done: () => t('changed'),
    after: (record) => {
      close()
      options.saved(record, true)
    },
    showsFaults: true,
  })

  return {
    mayChange: computed(options.mayChange),
    conflict,
    error: save.error,
    isBusy: save.isBusy,
    isOpen: (place: Place) => open.value !== undefined && idOf(open.value) === idOf(place),
    begin: (place: Place, value: unknown) => {
      close()
      seen.value = value
      open.value = place
    },
    close,
    save: async (place: Place, value: string | null) => {
      conflict.value = undefined
      await save.go({ place, value })
      if (save.error.value?.kind === 'conflict') await meet(place).catch(() => undefined)
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
