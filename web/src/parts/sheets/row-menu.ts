// What can be done with the rows that are chosen.
import * as icons from '@/look/icons'
import type { Translate } from '@/texts'
import type en from '@/texts/en/sheets'
import type { MenuItem } from '../menu'
import { shapesOf } from './structure'
import type { Actions } from './use-actions'
import type { GridView } from './use-grid-view'
import type { Sheet } from './workbook'

export const rowMenu = (
  t: Translate<(typeof en)['entries']>,
  sheet: Sheet,
  row: number,
  actions: Actions,
  view: GridView,
): MenuItem[] => {
  const shape = shapesOf(sheet)[row]
  const isBegin = shape?.kind === 'begin'
  const isSurvey = sheet.name.trim().toLowerCase() === 'survey'
  const ofGroup: MenuItem[] = isBegin
    ? [
        view.isClosed(row)
          ? { label: t('unfold'), icon: icons.chevronDown, run: () => view.fold([row], false) }
          : { label: t('fold'), icon: icons.chevronUp, run: () => view.fold([row], true) },
        { label: t('ungroup'), icon: icons.minus, run: actions.remove },
      ]
    : []
  const wraps: MenuItem[] = isSurvey
    ? [
        { label: t('wrapGroup'), icon: icons.folder, run: () => actions.wrap('group') },
        { label: t('wrapRepeat'), icon: icons.refresh, run: () => actions.wrap('repeat') },
      ]
    : []
  return [
    { label: t('insertAbove'), icon: icons.arrowUp, run: actions.insertAbove },
    { label: t('insertBelow'), icon: icons.arrowDown, run: actions.insertBelow },
    { label: t('duplicate'), icon: icons.copy, run: actions.duplicate },
    { kind: 'line' },
    { label: t('moveUp'), icon: icons.chevronUp, run: () => actions.moveBy(-1), keys: 'Alt ↑' },
    { label: t('moveDown'), icon: icons.chevronDown, run: () => actions.moveBy(1), keys: 'Alt ↓' },
    ...(isSurvey ? [{ kind: 'line' as const }, ...ofGroup, ...wraps] : []),
    { kind: 'line' },
    isBegin
      ? { label: t('removeGroup'), icon: icons.trash, run: actions.removeBlock, danger: true }
      : { label: t('removeRows'), icon: icons.trash, run: actions.remove, danger: true },
  ]
}
