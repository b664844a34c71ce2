// The compiler, beside the page: somebody types on while it reads.
import { placeOf } from '@sheaf/xlsform/language'
import { checkSheets, type Problem, type RawSheet } from '@sheaf/xlsform/sheets'
import type { Asked, Checked, PlacedProblem } from './check-messages'

const placed = (problem: Problem, sheets: readonly RawSheet[]): PlacedProblem => {
  const place = placeOf(problem, sheets)
  return {
    code: problem.code,
    message: problem.message,
    sheet: place?.sheet ?? null,
    // The compiler counts as spreadsheet programs do; here the header is no row.
    row: place?.row == null ? null : place.row - 2,
    column: place?.column ?? null,
  }
}

addEventListener('message', ({ data: { number, sheets, fileName } }: MessageEvent<Asked>) => {
  const { form, problems, warnings } = checkSheets(sheets, { fileName, allowUnlabelled: false })
  const answer: Checked = {
    number,
    problems: problems.map((problem) => placed(problem, sheets)),
    warnings: warnings.map((problem) => placed(problem, sheets)),
    form: form === null ? null : { xform: form.xform, formId: form.formId, title: form.title, version: form.version },
  }
  postMessage(answer)
})
