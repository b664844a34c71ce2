// The forms of a project, narrowed and in an order.
import type { Project } from '@/api/projects'
import { compareTexts } from '@/texts'

export interface ListedForm {
  readonly formid: number
  readonly name: string
  readonly id_string: string
  readonly encrypted: boolean
  readonly state: 'open' | 'closing' | 'closed' | 'draft'
  readonly num_of_submissions: number
  readonly last_submission_time: string | null
}

export const formOrders = ['name', 'last', 'count'] as const
export const formStates = ['all', 'open', 'closing', 'closed'] as const

/** The description of the API leaves open what a form of a project has. */
export const formsOf = ({ forms }: Pick<Project, 'forms'>): ListedForm[] => forms as unknown as ListedForm[]

const compare = {
  name: (a: ListedForm, b: ListedForm) => compareTexts(a.name, b.name),
  last: (a: ListedForm, b: ListedForm) =>
    (b.last_submission_time ?? '').localeCompare(a.last_submission_time ?? '') || compareTexts(a.name, b.name),
  count: (a: ListedForm, b: ListedForm) => b.num_of_submissions - a.num_of_submissions || compareTexts(a.name, b.name),
}

export const narrowed = (
  forms: readonly ListedForm[],
  { text, state, order }: { text: string; state: (typeof formStates)[number]; order: (typeof formOrders)[number] },
): ListedForm[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return forms
    .filter((form) => state === 'all' || form.state === state)
    .filter(({ name, id_string }) => words.every((word) => `${name} ${id_string}`.toLowerCase().includes(word)))
    .toSorted(compare[order])
}
