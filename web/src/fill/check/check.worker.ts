// A thread of its own: whatever is in the file, the page can stop it.
import { type RawSheet, XlsFormError } from '@sheaf/xlsform/sheets'
import { writeWorkbook } from '@sheaf/xlsform/workbook'
import { lookAt } from './look-at'
import type { Answer, Asked, Wish } from './messages'

let sheets: readonly RawSheet[] = []

const answerTo = async (asked: Asked | Wish): Promise<Answer> => {
  if ('wants' in asked) return { workbook: await writeWorkbook(sheets) }
  const seen = await lookAt(asked)
  sheets = seen.sheets
  return { checked: seen.checked }
}

addEventListener('message', async ({ data }: MessageEvent<Asked | Wish>) => {
  const answer = await answerTo(data).catch(
    (error: unknown): Answer => (error instanceof XlsFormError ? { refused: error.message } : { fault: true }),
  )
  postMessage(answer)
})
