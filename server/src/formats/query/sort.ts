// What else a list is asked with: the order of its records and the fields of each.
import { cutTo } from '@sheaf/xlsform/text'
import { budgets } from '../../budgets.js'
import { QueryFault } from './fault.js'
import { parseJson } from './json.js'

export interface SortKey {
  readonly key: string
  readonly isDescending: boolean
}

const directions: ReadonlyMap<string, boolean> = new Map([
  ['1', false],
  ['-1', true],
])

/** `{"age": -1, "name": 1}` in the order written, or `age`, or `-age`. Throws QueryFault. */
export const parseSort = (text: string): SortKey[] => {
  const asked = text.trim()
  if (asked === '') return []
  if (!asked.startsWith('{')) {
    if (/[{}":,[\]]/.test(asked)) throw new QueryFault('The sort must be a JSON object of field to 1 or -1.')
    return [{ key: asked.replace(/^-/, ''), isDescending: asked.startsWith('-') }]
  }
  const json = parseJson(asked)
  if (json.kind !== 'object') throw new QueryFault('The sort must be a JSON object of field to 1 or -1.')
  const { sortKeys: mostKeys } = budgets.query
  if (json.entries.length > mostKeys) throw new QueryFault(`The sort has more than ${mostKeys} fields.`)
  return json.entries.map(([key, value]) => {
    const isDescending = value.kind === 'number' || value.kind === 'string' ? directions.get(value.text) : undefined
    if (isDescending === undefined) throw new QueryFault(`The sort of ${cutTo(key, 100)} must be 1 or -1.`)
    return { key, isDescending }
  })
}

/** A JSON list of names, or names with commas between them; undefined asks for all. Throws QueryFault. */
export const parseFields = (text: string): string[] | undefined => {
  const asked = text.trim()
  const names = asked.startsWith('[') ? jsonNames(asked) : asked.split(',').map((name) => name.trim())
  const fields = [...new Set(names.filter((name) => name !== ''))]
  const { fields: mostFields } = budgets.query
  if (fields.length > mostFields) throw new QueryFault(`More than ${mostFields} fields were asked for.`)
  return fields.length === 0 ? undefined : fields
}

const jsonNames = (text: string): string[] => {
  const json = parseJson(text)
  if (json.kind !== 'array') throw new QueryFault('The fields must be a JSON list of names.')
  return json.items.map((item) => {
    if (item.kind !== 'string') throw new QueryFault('The fields must be a JSON list of names.')
    return item.text
  })
}
