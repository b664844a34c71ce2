// By what places may be coloured, and what each colour says.
import { computed } from 'vue'
import { choiceLabel, type FormModel, labelOf } from '@/api/form-model'
import { choiceScale, numberScale, oneColour, type Scale } from '@/parts/map/scale'
import { showNumber, useTexts } from '@/texts'
import en from '@/texts/en/map'

/** A list of all questions would have no end. */
const mostOptions = 300

export const useColours = (given: {
  model: () => FormModel
  language: () => string
  colourBy: () => string
  values: () => readonly (string | undefined)[]
}) => {
  const t = useTexts(en)
  const reviewWords = (value: string) =>
    value === '1' ? t('approved') : value === '2' ? t('rejected') : value === '3' ? t('pending') : t('notReviewed')

  const options = computed(() => [
    { value: '', label: t('noColour') },
    ...given
      .model()
      .questions.filter(({ kind, repeat }) => (kind === 'choice' || kind === 'number') && repeat === undefined)
      .slice(0, mostOptions)
      .map((question) => ({ value: question.key, label: labelOf(question, given.language()) })),
    { value: '_review_status', label: t('reviewStatus') },
    { value: '_submitted_by', label: t('sentBy') },
  ])
  const title = computed(() => options.value.find(({ value }) => value === given.colourBy())?.label ?? '')
  const words = (key: string, value: string): string => {
    if (key === '_review_status') return reviewWords(value)
    const question = given.model().byKey.get(key)
    return question?.kind === 'choice' ? choiceLabel(question, value, given.language()) : value
  }

  const scale = computed<Scale>(() => {
    const key = given.colourBy()
    if (key === '') return oneColour(t('page'))
    const none = key === '_review_status' ? t('notReviewed') : t('none')
    if (given.model().byKey.get(key)?.kind === 'number') {
      const range = (from: number, to: number) =>
        from === to ? showNumber(from) : t('range', { from: showNumber(from), to: showNumber(to) })
      return numberScale(given.values(), { none, range })
    }
    return choiceScale(given.values(), (value) => words(key, value), { other: t('other'), none })
  })
  const counts = computed(() => {
    const found = scale.value.categories.map(() => 0)
    for (const value of given.values()) {
      const place = scale.value.indexOf(value)
      found[place] = (found[place] ?? 0) + 1
    }
    return found
  })
  /** For the list: the words of one answer. */
  const wordsFor = (value: unknown): string =>
    value === undefined || value === null ? '' : words(given.colourBy(), String(value))
  return { options, title, scale, counts, wordsFor }
}
