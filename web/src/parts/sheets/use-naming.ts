// Columns and languages that get a name: which dialog is open, and what it does.
import { computed, shallowRef } from 'vue'
import { useTexts } from '@/texts'
import en from '@/texts/en/sheets'
import { addColumn, addLanguage, columnsKnown, languagesOf, renameColumn, renameLanguage } from './columns'
import type { Edit } from './steps'
import type { Sheet, Workbook } from './workbook'

type Asked =
  | { readonly kind: 'add-column'; readonly at: number }
  | { readonly kind: 'rename-column'; readonly at: number }
  | { readonly kind: 'add-language' }
  | { readonly kind: 'rename-language'; readonly from: string }

const codes = [
  'en',
  'fr',
  'es',
  'pt',
  'sw',
  'ar',
  'am',
  'bn',
  'my',
  'fa',
  'ha',
  'hi',
  'id',
  'km',
  'rw',
  'lo',
  'mg',
  'ne',
]
const moreCodes = ['ny', 'om', 'ps', 'ru', 'sn', 'so', 'ta', 'th', 'ti', 'tr', 'uk', 'ur', 'vi', 'wo', 'yo', 'zh', 'zu']

/** By the name that its speakers give it, as devices want it: `Français (fr)`. */
const usualLanguages = (): string[] =>
  [...codes, ...moreCodes].flatMap((code) => {
    const name = new Intl.DisplayNames([code], { type: 'language' }).of(code)
    if (name === undefined || name === code) return []
    return [`${name[0]?.toLocaleUpperCase(code) ?? ''}${name.slice(1)} (${code})`]
  })

export const useNaming = (book: () => Workbook, sheet: () => Sheet, apply: (edit: Edit | null) => unknown) => {
  const t = useTexts(en)
  const asked = shallowRef<Asked>()
  const isOpen = computed({
    get: () => asked.value !== undefined,
    set: (is) => {
      if (!is) asked.value = undefined
    },
  })
  const headers = () => sheet().columns.map(({ header }) => header)
  const initial = computed(() => {
    const now = asked.value
    if (now?.kind === 'rename-column') return headers()[now.at] ?? ''
    return now?.kind === 'rename-language' ? now.from : ''
  })
  /** What is asked for, what is usual for it, and what is there already. */
  const ofLanguage = () => ({
    label: t('language'),
    hint: t('languageHint'),
    usual: usualLanguages(),
    there: languagesOf(book()),
  })
  const ofColumn = () => ({
    label: t('columnName'),
    hint: t('columnHint'),
    usual: columnsKnown(sheet().name).map(({ name }) => name),
    there: headers(),
  })
  const titles = {
    'add-column': 'addColumn',
    'rename-column': 'renameColumn',
    'add-language': 'addLanguage',
    'rename-language': 'renameLanguage',
  } as const
  const dialog = computed(() => {
    const kind = asked.value?.kind ?? 'add-column'
    const { label, hint, usual, there } = kind.endsWith('language') ? ofLanguage() : ofColumn()
    return {
      title: t(titles[kind]),
      label,
      hint,
      action: t(kind.startsWith('add') ? 'add' : 'rename'),
      initial: initial.value,
      usual: usual.filter((name) => !there.includes(name)),
      faultOf: (name: string) =>
        there.includes(name) && name !== initial.value ? t('nameTaken', { name }) : undefined,
    }
  })
  const named = (name: string, now: Asked | undefined) => {
    if (now?.kind === 'add-column') apply(addColumn(book(), sheet().name, name, now.at))
    else if (now?.kind === 'rename-column') apply(renameColumn(book(), sheet().name, now.at, name))
    else if (now?.kind === 'add-language') apply(addLanguage(book(), name))
    else if (now?.kind === 'rename-language') apply(renameLanguage(book(), now.from, name))
  }
  return { ask: (what: Asked) => (asked.value = what), asked, isOpen, dialog, named }
}
