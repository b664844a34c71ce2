// Where in a form something is to be mended.
import type { FormProblem } from '@/api/publishing'

/** Keys of `texts/en/publish.ts` with what goes into them, from the sheet to the cell. */
export const placeOf = ({ sheet, row, column }: FormProblem) => [
  ...(sheet ? [{ key: 'sheet' as const, value: sheet }] : []),
  ...(row ? [{ key: 'row' as const, value: String(row) }] : []),
  ...(column ? [{ key: 'column' as const, value: column }] : []),
]
