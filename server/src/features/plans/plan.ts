// What a replacement would mean for the answers that are stored. Nothing is changed.
import { type Field, fieldsOf } from '../../formats/form/index.js'
import { differencesOf, type FormDifferences, patternOf, StepMeter } from '../../formats/plan/index.js'
import type { Deps } from '../../platform/deps.js'
import type { Static } from '../../platform/schema/index.js'
import { type FoundForm, listDataviewsOf, type Replacement } from '../forms/index.js'
import { touchedWidgets } from '../widgets/index.js'
import { countBreaking } from './constraint-count.js'
import {
  type ChoiceQuestion,
  countAnswers,
  countChosen,
  countMismatches,
  countUnlisted,
  listServicesOf,
} from './plans.queries.js'
import type { PlanView } from './plans.schemas.js'

type Plan = Static<typeof PlanView>

const isMultiple = ({ type }: Field): boolean => type === 'select_multiple' || type === 'rank'

/** Answers stay where the present form has them, whatever becomes of the question. */
const choiceQuestion = (field: Field, names: readonly string[]): ChoiceQuestion => ({
  key: field.key,
  repeats: field.repeats,
  names,
  isMultiple: isMultiple(field),
})

const typeChanges = async (
  { db }: Deps,
  formId: number,
  { typeChanged }: FormDifferences,
): Promise<Plan['type_changed']> => {
  const patterns = typeChanged.flatMap(({ from, to }) => {
    const pattern = patternOf(to, from)
    return pattern === null ? [] : [{ key: from.key, repeats: from.repeats, pattern }]
  })
  const namesOf = choiceNames()
  const selects = typeChanged.flatMap(({ from, to }) =>
    to.kind === 'select' && to.choices !== null ? [{ ...choiceQuestion(to, namesOf(to)), repeats: from.repeats }] : [],
  )
  const counts = new Map([
    ...(await countMismatches(db, formId, patterns)),
    ...(await countUnlisted(db, formId, selects)),
  ])
  return typeChanged.map(({ from, to }) => ({
    question: to.key,
    from: from.type,
    to: to.type,
    incompatible_answers: counts.get(to.key) ?? 0,
  }))
}

/** One list of names for each list of choices. */
const choiceNames = () => {
  const known = new Map<Field['choices'], readonly string[]>()
  return ({ choices }: Field): readonly string[] => {
    const names = known.get(choices) ?? (choices ?? []).map(({ name }) => name)
    known.set(choices, names)
    return names
  }
}

const vanishedChoices = async (
  { db }: Deps,
  formId: number,
  { choicesRemoved }: FormDifferences,
): Promise<Plan['choices_removed']> => {
  const used = await countChosen(
    db,
    formId,
    choicesRemoved.map(({ field, names }) => choiceQuestion(field, names)),
  )
  const usedOf = new Map<string, (typeof used)[number][]>()
  for (const one of used) {
    const same = usedOf.get(one.key)
    if (same === undefined) usedOf.set(one.key, [one])
    else same.push(one)
  }
  return choicesRemoved
    .map(({ field }) => ({
      question: field.key,
      choices: (usedOf.get(field.key) ?? []).map(({ name, count }) => ({ name, answers: count })),
    }))
    .filter(({ choices }) => choices.length > 0)
}

const brokenConstraints = async (
  { db, clock }: Deps,
  formId: number,
  { constraints }: FormDifferences,
): Promise<Plan['constraints']> => {
  const found: Plan['constraints'] = []
  const counting = { now: clock.now(), meter: new StepMeter() }
  for (const { field, constraint } of constraints) {
    const { breaking, reason } = await countBreaking(db, formId, field, constraint, counting)
    found.push({
      question: field.key,
      constraint,
      breaking_answers: breaking,
      ...(reason !== undefined && { reason }),
    })
  }
  return found
}

const isNothing = ({ added, removed, renamed, typeChanged, regrouped }: FormDifferences): boolean =>
  [added, removed, renamed, typeChanged, regrouped].every((list) => list.length === 0)

const warningsOf = (form: FoundForm, replacement: Replacement, { regrouped }: FormDifferences): string[] => [
  ...replacement.warnings,
  ...(replacement.idString === form.idString
    ? []
    : [`The id_string is '${replacement.idString}'; to replace this form it must be '${form.idString}'.`]),
  ...(replacement.isEncrypting ? ['The file encrypts submissions: it is refused while the form has any.'] : []),
  ...regrouped.map(
    ({ key, to }) =>
      `'${key}' becomes a ${to}: its answers so far stay as they are, and are read as the form was then.`,
  ),
]

/** Charts that are kept: what they count goes, or becomes something else. */
const widgetsTouched = async (
  { db }: Deps,
  formId: number,
  { present, next }: Replacement,
  { typeChanged, choicesRemoved }: FormDifferences,
): Promise<Plan['affected']['widgets']> => {
  const changed = [...typeChanged.map(({ from }) => from), ...choicesRemoved.map(({ field }) => field)]
  const keys = new Set(changed.map(({ key }) => key))
  const touched = await touchedWidgets(db, formId, { present: fieldsOf(present), next: fieldsOf(next), changed: keys })
  return touched.map(({ id, title }) => ({ id, title: title ?? '' }))
}

/** Those that show or compare a question that goes, or that is not what it was. */
const touchedDataviews = async ({ db }: Deps, formId: number, differences: FormDifferences) => {
  const { removed, renamed, typeChanged, choicesRemoved, regrouped } = differences
  const touched = new Set([
    ...[...removed, ...[...renamed, ...typeChanged].map(({ from }) => from)].map(({ key }) => key),
    ...choicesRemoved.map(({ field }) => field.key),
    ...regrouped.map(({ key }) => key),
  ])
  const dataviews = touched.size === 0 ? [] : await listDataviewsOf(db, [formId])
  return dataviews
    .filter(({ columns, query }) => [...columns, ...query.map(({ column }) => column)].some((key) => touched.has(key)))
    .map(({ id, name }) => ({ id, title: name }))
}

export const planReplacement = async (deps: Deps, form: FoundForm, replacement: Replacement): Promise<Plan> => {
  const differences = differencesOf(replacement.present, replacement.next)
  const { added, removed, renamed } = differences
  const answers = await countAnswers(deps.db, form.id, [...removed, ...renamed.map(({ from }) => from)])
  return {
    id_string_matches: replacement.idString === form.idString,
    added: [...added],
    removed: removed.map(({ key }) => key),
    renamed: renamed.map(({ from, to }) => ({ from: from.key, to: to.key, answers: answers.get(from.key) ?? 0 })),
    type_changed: await typeChanges(deps, form.id, differences),
    choices_removed: await vanishedChoices(deps, form.id, differences),
    constraints: await brokenConstraints(deps, form.id, differences),
    removed_with_answers: removed.flatMap(({ key }) => {
      const count = answers.get(key) ?? 0
      return count === 0 ? [] : [{ question: key, answers: count }]
    }),
    affected: {
      widgets: await widgetsTouched(deps, form.id, replacement, differences),
      dataviews: await touchedDataviews(deps, form.id, differences),
      rest_services: isNothing(differences) ? [] : await listServicesOf(deps.db, form.id),
    },
    warnings: warningsOf(form, replacement, differences),
  }
}
