// Which fields can be grouped by which others, and what comes of it.
import { type ChartField, isGroupedBy } from '../../formats/charts/index.js'
import { mostGroups } from '../aggregation/index.js'
import { badPeriod, cannotGroup, periodOfNothing, tooManyGroups } from './charts.errors.js'
import { fieldOf, type Subject } from './subject.js'

/** `items`: each value with its groups in it. `flat`: a row for each pair. `sums`: a number added up for each group. */
export type Grouping = 'items' | 'flat' | 'sums'

const isBuiltin = ({ source }: ChartField, ...names: string[]): boolean =>
  source.kind === 'builtin' && names.includes(source.name)

const isTime = ({ dataType }: ChartField): boolean => dataType === 'time_based'

const pairing = (field: ChartField, group: ChartField): Grouping | undefined => {
  if (!isGroupedBy(field, group)) return undefined
  const isNumber = field.dataType === 'numeric'
  if (isNumber) return group.isSelectOne || isTime(group) || isBuiltin(group, '_submitted_by') ? 'sums' : undefined
  if (group.isSelectOne) return field.isSelectOne || isBuiltin(field, '_submitted_by') ? 'items' : undefined
  return field.isSelectOne && (isTime(group) || isBuiltin(group, '_submitted_by')) ? 'flat' : undefined
}

export const groupingOf = (field: ChartField, groups: readonly ChartField[]): Grouping => {
  const names = groups.map(({ path }) => path)
  const pairings = groups.map((group) => pairing(field, group))
  const isMany = groups.length > 1 && (field.dataType !== 'numeric' || new Set(names).size < names.length)
  if (isMany) throw cannotGroup(names)
  const refused = pairings.indexOf(undefined)
  if (refused !== -1) throw cannotGroup(names.slice(refused, refused + 1))
  return pairings[0] as Grouping
}

const periods = new Set(['', 'day', 'month'])

/** Names with commas between them; none where nothing is named. Of times, `period` says how long a group is. */
export const groupsOf = (subject: Subject, given: string | undefined, period = ''): ChartField[] => {
  if (!periods.has(period)) throw badPeriod(period)
  const names = (given ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length > mostGroups) throw tooManyGroups(mostGroups)
  const fields = names.map((name) => fieldOf(subject, name))
  if (period !== '' && !fields.some(isTime)) throw periodOfNothing()
  return fields.map((field) => (period === 'month' && isTime(field) ? { ...field, period } : field))
}
