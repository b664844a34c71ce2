// The words of charts in the person's language.
import { computed, type MaybeRefOrGetter, toValue } from 'vue'
import { locale, showNumber, showPercent, useTexts } from '@/texts'
import en from '@/texts/en/figures'
import type { Span } from './days'
import type { ShownWords } from './shown'

const formats: Readonly<Record<Span, Intl.DateTimeFormatOptions>> = {
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
}

/** A day is the same day everywhere. */
export const showSpan = (day: string, span: Span): string =>
  new Intl.DateTimeFormat(locale.value, { ...formats[span], timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

type Labels = Pick<ShownWords, 'valueLabel' | 'groupLabel'>

export const useShownWords = (labels: MaybeRefOrGetter<Labels>) => {
  const t = useTexts(en)
  return computed<ShownWords>(() => ({
    ...toValue(labels),
    dayLabel: showSpan,
    number: (value) => showNumber(value, { maximumFractionDigits: 2 }),
    percent: showPercent,
    answer: t('answer'),
    count: t('count'),
    share: t('share'),
    noAnswer: t('noAnswer'),
    otherGroups: t('otherGroups'),
    sum: t('sum'),
    mean: t('mean'),
    records: t('records'),
  }))
}
