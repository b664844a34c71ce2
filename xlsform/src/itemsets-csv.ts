import { quotedCell } from './csv.js'
import type { FormNode } from './survey/node.js'
import type { Table } from './tables/table.js'
import { allNodes } from './xform/form.js'

const field = (text: string | undefined): string => quotedCell(text ?? '')

/** The external_choices sheet as the CSV file that clients read; only for forms that use it. */
export const writeItemsets = (root: FormNode, table: Table | undefined): string | undefined => {
  if (table === undefined) return undefined
  let isUsed = false
  for (const node of allNodes(root)) if (node.select?.kind === 'external') isUsed = true
  if (!isUsed) return undefined
  const lines = [table.columns.map(({ key, header }) => field(key === 'list_name' ? 'list_name' : header)).join(',')]
  for (const row of table.rows) lines.push(table.columns.map((_, position) => field(row.values[position])).join(','))
  return `${lines.join('\r\n')}\r\n`
}
