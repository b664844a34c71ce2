// A condition in words: "Roof is Thatch or Iron sheets", "Age is from 5 to 10".
import { choiceLabel } from '@/api/form-model'
import { inWords, showDayOf, showNumber, type Translate } from '@/texts'
import type en from '@/texts/en/filter'
import type { Condition } from './conditions'
import type { FilterField } from './fields'

type Say = Translate<(typeof en)['entries']>

/** More than these are counted, not named. */
const mostNamed = 4

export const reviewNames = { '1': 'approved', '2': 'rejected', '3': 'pending' } as const

/** What a person reads for a value of a column; null is no answer. */
export const valueLabel = (
  field: FilterField | undefined,
  value: string | null,
  language: string | undefined,
  t: Say,
): string => {
  if (field?.key === '_review_status') {
    return value !== null && Object.hasOwn(reviewNames, value)
      ? t(reviewNames[value as keyof typeof reviewNames])
      : t('notReviewed')
  }
  if (value === null) return field?.key === '_submitted_by' ? t('nobodySigned') : t('noAnswer')
  if (value === '') return t('blank')
  return field?.question === undefined ? value : choiceLabel(field.question, value, language)
}

const bounded = (
  t: Say,
  name: string,
  [from, to]: readonly [string | undefined, string | undefined],
  isDays: boolean,
): string => {
  if (from !== undefined && from === to) return t('says', { field: name, value: from })
  if (from !== undefined && to !== undefined) return t('saysBetween', { field: name, from, to })
  if (from !== undefined) return t(isDays ? 'saysSince' : 'saysAtLeast', { field: name, from })
  return t(isDays ? 'saysUntil' : 'saysAtMost', { field: name, to: to ?? '' })
}

const or = (values: readonly string[], t: Say): string =>
  values.length > mostNamed ? t('oneOfMany', { n: values.length }) : inWords(values, 'disjunction')

export const inSentence = (
  condition: Condition,
  field: FilterField | undefined,
  language: string | undefined,
  t: Say,
): string => {
  const name = field?.label ?? condition.key
  switch (condition.kind) {
    case 'contains':
      return t('saysContains', { field: name, text: condition.text })
    case 'equals':
      return t('says', { field: name, value: condition.text === '' ? t('blank') : `“${condition.text}”` })
    case 'numbers':
      return bounded(
        t,
        name,
        [
          condition.from === undefined ? undefined : showNumber(condition.from),
          condition.to === undefined ? undefined : showNumber(condition.to),
        ],
        false,
      )
    case 'days':
      return bounded(
        t,
        name,
        [
          condition.from === undefined ? undefined : showDayOf(condition.from),
          condition.to === undefined ? undefined : showDayOf(condition.to),
        ],
        true,
      )
    case 'among': {
      const value = or(
        condition.values.map((one) => valueLabel(field, one, language, t)),
        t,
      )
      return t(field?.kind === 'choices' || field?.kind === 'labels' ? 'saysHas' : 'says', { field: name, value })
    }
    case 'flag':
      return t('says', { field: name, value: condition.is ? t('yes') : t('no') })
    case 'empty':
      return t(condition.is ? 'saysEmpty' : 'saysAnswered', { field: name })
    case 'other':
      return `${name} ${JSON.stringify(condition.value)}`.slice(0, 200)
  }
}
