// What can be done with a column.
import * as icons from '@/look/icons'
import type { Translate } from '@/texts'
import type en from '@/texts/en/sheets'
import type { MenuItem } from '../menu'
import { moveColumn, removeColumn } from './columns'
import type { Edit } from './steps'
import type { Sheet, Workbook } from './workbook'

export interface ColumnActions {
  readonly book: Workbook
  readonly sheet: Sheet
  readonly apply: (edit: Edit | null) => unknown
  /** Asks for its header. */
  readonly add: (at: number) => void
  readonly rename: (at: number) => void
}

export const columnMenu = (
  t: Translate<(typeof en)['entries']>,
  column: number,
  { book, sheet, apply, add, rename }: ColumnActions,
): MenuItem[] => [
  { label: t('renameColumn'), icon: icons.edit, run: () => rename(column) },
  { label: t('addBefore'), icon: icons.plus, run: () => add(column) },
  { label: t('addAfter'), icon: icons.plus, run: () => add(column + 1) },
  { kind: 'line' },
  {
    label: t('moveStart'),
    icon: icons.arrowStart,
    disabled: column === 0,
    run: () => apply(moveColumn(book, sheet.name, column, column - 1)),
  },
  {
    label: t('moveEnd'),
    icon: icons.arrowEnd,
    disabled: column >= sheet.columns.length - 1,
    run: () => apply(moveColumn(book, sheet.name, column, column + 2)),
  },
  { kind: 'line' },
  {
    label: t('removeColumn'),
    icon: icons.trash,
    danger: true,
    run: () => apply(removeColumn(book, sheet.name, column)),
  },
]
