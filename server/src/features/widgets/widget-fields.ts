// What a body says of a widget, and what is wrong with it.
import type { Database, Db } from '../../platform/db/index.js'
import { formModels } from '../forms/index.js'
import { type Column, columnNamed, repeatBetween } from './columns.js'
import type { Source } from './sources.js'
import { metadataTooLarge, notIn, sameColumn, withinRepeat } from './widgets.errors.js'
import type { Widget, WidgetFields } from './widgets.queries.js'
import type { Body } from './widgets.schemas.js'

export type Faults = Record<string, string | readonly string[]>

export const fieldsIn = (body: Body): WidgetFields => ({
  title: body.title ?? null,
  description: body.description ?? null,
  aggregation: body.aggregation ?? null,
  widgetType: body.widget_type ?? 'charts',
  viewType: body.view_type ?? '',
  column: body.column ?? '',
  groupBy: body.group_by || null,
  metadata: body.metadata ?? {},
})

/** The widget as a body of its own, for what a change leaves out. */
export const presentBody = (widget: Widget): Body => ({
  title: widget.title,
  description: widget.description,
  aggregation: widget.aggregation,
  widget_type: widget.widgetType,
  view_type: widget.viewType,
  column: widget.column,
  group_by: widget.groupBy,
  metadata: widget.metadata,
})

export const checkRequired = (body: Body, faults: Faults): void => {
  for (const field of ['content_object', 'view_type', 'column'] as const)
    if (body[field] === undefined) faults[field] ??= ['This field is required.']
}

const largestMetadata = 10_000

/** A very deep value is a fault already, and would exhaust the stack here. */
export const checkMetadata = ({ metadata }: Body, faults: Faults): void => {
  if (metadata === undefined || faults.metadata !== undefined) return
  if (JSON.stringify(metadata).length > largestMetadata) faults.metadata = [metadataTooLarge(largestMetadata)]
}

export const columnNames = ['column', 'group_by'] as const

type ColumnName = (typeof columnNames)[number]

export interface ColumnCheck {
  readonly source: Source
  /** Only these are looked for: what a widget has stays, though its form may have lost it. */
  readonly given: readonly ColumnName[]
}

export const checkColumns = async (
  [db, tx]: readonly [Database, Db],
  { source, given }: ColumnCheck,
  { column, groupBy }: WidgetFields,
  faults: Faults,
): Promise<void> => {
  if (given.length === 0) return
  const { fields } = await formModels(db).get(tx, source.formId, source.form.versionNumber)
  const { dataview } = source
  const check = (name: ColumnName, text: string | null): Column | undefined => {
    if (faults[name] !== undefined || !text) return undefined
    const found = columnNamed(fields, text, dataview?.columns)
    if (found === undefined && given.includes(name)) faults[name] = [notIn(dataview ? 'dataview' : 'form', text)]
    return found
  }
  const counted = check('column', column)
  const group = check('group_by', groupBy)
  if (counted === undefined || group === undefined) return
  const fault = groupFault(column, counted, group)
  if (fault !== undefined) faults.group_by = [fault]
}

const groupFault = (column: string, counted: Column, group: Column): string | undefined => {
  if (counted.path === group.path) return sameColumn(group.path)
  const repeat = repeatBetween(counted, group)
  return repeat === undefined ? undefined : withinRepeat(group.path, repeat, column)
}
