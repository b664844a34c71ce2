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
  const isLanguage = computed(() => asked.value?.kind.endsWith('language') === true)
  const headers = () => sheet().columns.map(({ header }) => header)

  const dialog = computed(() => {
    const now = asked.value
    const isAdded = now?.kind.startsWith('add') === true
    const initial =
      now?.kind === 'rename-column' ? (headers()[now.at] ?? '') : now?.kind === 'rename-language' ? now.from : ''
    return {
      title: isLanguage.value
        ? t(isAdded ? 'addLanguage' : 'renameLanguage')
        : t(isAdded ? 'addColumn' : 'renameColumn'),
      label: isLanguage.value ? t('language') : t('columnName'),
      hint: isLanguage.value ? t('languageHint') : t('columnHint'),
      action: t(isAdded ? 'add' : 'rename'),
      initial,
      usual: isLanguage.value
        ? usualLanguages().filter((name) => !languagesOf(book()).includes(name))
        : columnsKnown(sheet().name)
            .map(({ name }) => name)
            .filter((name) => !headers().includes(name)),
      faultOf: (name: string) => {
        const isThere = isLanguage.value ? languagesOf(book()).includes(name) : headers().includes(name)
        return isThere && name !== initial ? t('nameTaken', { name }) : undefined
      },
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
