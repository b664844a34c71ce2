// A plan as sentences, the worst first: what is refused, then what stored answers lose, then the rest.
import type { Plan } from '@/api/versions'
import type { Translate } from '@/texts'
import type en from '@/texts/en/form-versions'

export interface Sentence {
  readonly kind: 'fault' | 'warn' | 'note'
  readonly text: string
}

type T = Translate<(typeof en)['entries']>

/** `nameOf` gives what people call a question, by its key. */
export const sentencesOf = (plan: Plan, t: T, nameOf: (key: string) => string): Sentence[] => {
  const lost = new Set(plan.removed_with_answers.map(({ question }) => question))
  const sentences: Sentence[] = [
    ...(plan.id_string_matches ? [] : [{ kind: 'fault' as const, text: t('planOtherForm') }]),
    ...plan.removed_with_answers.map(({ question, answers }) => ({
      kind: 'fault' as const,
      text: t('planLost', { question: nameOf(question), n: answers }),
    })),
    ...plan.type_changed.map(({ question, from, to, incompatible_answers: n }) => ({
      kind: n > 0 ? ('fault' as const) : ('note' as const),
      text:
        n > 0
          ? t('planTypeBad', { question: nameOf(question), from, to, n })
          : t('planType', { question: nameOf(question), from, to }),
    })),
    ...plan.choices_removed.flatMap(({ question, choices }) =>
      choices.map(({ name, answers }) => ({
        kind: 'warn' as const,
        text: t('planChoice', { question: nameOf(question), choice: name, n: answers }),
      })),
    ),
    ...plan.constraints.map(({ question, breaking_answers: n, constraint }) => {
      const named = { question: nameOf(question), constraint }
      if (n === null) return { kind: 'warn' as const, text: t('planConstraintUnknown', named) }
      return n > 0
        ? { kind: 'warn' as const, text: t('planConstraintBad', { ...named, n }) }
        : { kind: 'note' as const, text: t('planConstraint', named) }
    }),
    ...plan.renamed.map(({ from, to, answers: n }) => ({
      kind: n > 0 ? ('warn' as const) : ('note' as const),
      text: n > 0 ? t('planRenamedAnswers', { from, to, n }) : t('planRenamed', { from, to }),
    })),
    ...plan.affected.widgets.map(({ title }) => ({ kind: 'warn' as const, text: t('planWidget', { title }) })),
    ...plan.affected.dataviews.map(({ title }) => ({ kind: 'warn' as const, text: t('planView', { title }) })),
    ...plan.warnings.map((text) => ({ kind: 'warn' as const, text })),
    ...plan.affected.rest_services.map(({ service_url: url, name }) => ({
      kind: 'note' as const,
      text: t('planService', { url: url || name }),
    })),
    ...plan.removed
      .filter((key) => !lost.has(key))
      .map((key) => ({ kind: 'note' as const, text: t('planRemoved', { question: nameOf(key) }) })),
    ...plan.added.map((key) => ({ kind: 'note' as const, text: t('planAdded', { question: key }) })),
  ]
  const weights = { fault: 0, warn: 1, note: 2 }
  return sentences.toSorted((a, b) => weights[a.kind] - weights[b.kind])
}
