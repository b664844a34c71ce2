// The title of the form, and its id that follows it until the form is on the server.
import { addSheet } from '@/parts/sheets/columns'
import { type Edit, inTurn } from '@/parts/sheets/steps'
import { sheetNamed, type Workbook } from '@/parts/sheets/workbook'
import { setField } from './fields'
import { isMadeFrom } from './naming'
import { idFor, idOf, titleOf } from './open-form'

export const setTitle = (book: Workbook, title: string, isNew: boolean): Edit | null => {
  const [former, id] = [titleOf(book), idOf(book)]
  const follows = isNew && (isMadeFrom(id, former, 'form') || id === idFor(former))
  return inTurn(
    book,
    (now) => (sheetNamed(now, 'settings') === undefined ? addSheet(now, 'settings') : null),
    (now) => setField(now, 'settings', { row: 0, key: 'form_title' }, title),
    ...(follows ? [(now: Workbook) => setField(now, 'settings', { row: 0, key: 'form_id' }, idFor(title))] : []),
  )
}
