// The language in which the questions of a form are shown: what the address says, else what was chosen for this form on this
// device, else the language of the page where the form has it, else the form's own.
import { computed, type MaybeRefOrGetter, type Ref, toValue, type WritableComputedRef } from 'vue'
import type { FormModel } from '@/api/form-model'
import { asText, useAddressState } from '@/base/address-state'
import { kept } from '@/base/kept'
import { language as pageLanguage } from '@/texts'

type Chosen = Readonly<Record<string, string>>

const isChosen = (value: unknown): value is Chosen =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')

/** Those of the last forms; older ones are forgotten. */
const mostForms = 200

/** "French (fr)" and "Français (fr)" are both `fr`. */
const codeOf = (name: string): string => /\(([a-z]{2,3})[^)]*\)\s*$/i.exec(name.slice(-40))?.[1]?.toLowerCase() ?? ''

export const bestLanguage = (languages: readonly string[], wanted: string, fallback: string | undefined) =>
  languages.find((name) => codeOf(name) === wanted) ?? fallback

export const useFormLanguage = (
  formId: MaybeRefOrGetter<number>,
  model: Ref<FormModel | undefined>,
): WritableComputedRef<string> => {
  const chosen = kept<Chosen>('sheaf-form-languages', {}, isChosen)
  const asked = useAddressState('language', '', asText)
  return computed({
    get: () => {
      const languages = model.value?.languages ?? []
      const known = [asked.value, chosen.value[toValue(formId)] ?? ''].find((name) => languages.includes(name))
      return known ?? bestLanguage(languages, pageLanguage.value, model.value?.defaultLanguage) ?? ''
    },
    set: (name) => {
      const others = Object.entries(chosen.value).slice(1 - mostForms)
      chosen.value = { ...Object.fromEntries(others), [toValue(formId)]: name }
      asked.value = name
    },
  })
}
