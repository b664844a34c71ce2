import type { ChoiceList } from '../choices/choice-lists.js'
import type { ProblemList } from '../problems.js'
import type { Settings } from '../settings.js'
import type { Externals } from './externals.js'

/** What the reading of survey rows looks up and reports to. */
export interface SurveyContext {
  settings: Settings
  problems: ProblemList
  warnings: ProblemList
  lists: Map<string, ChoiceList>
  /** Null when there is no external_choices sheet. */
  externalLists: ReadonlyMap<string, unknown> | null
  osmLists: Map<string, ChoiceList>
  entityLists: ReadonlySet<string>
  externals: Externals
  /** Names of csv-external and xml-external rows. */
  externalNames: Set<string>
  /** Null when there is a choices sheet, else a hint at a misspelt one, possibly empty. */
  noChoicesHint: string | null
  hasListNameColumn: boolean
  listsOfMultiple: Set<string>
  /** An author's question without a label, hint or media: a mistake, or only worth a warning. */
  allowsUnlabelled: boolean
}
