// Reads and writes workbooks beside the page, so that a large one stops nobody from typing.
import { checkExtents, type RawSheet } from '@sheaf/xlsform/sheets'
import { readSheets, writeWorkbook } from '@sheaf/xlsform/workbook'

export type Asked = { readonly id: number } & (
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'write'; readonly sheets: readonly RawSheet[] }
)
export type Answered = { readonly id: number } & (
  | { readonly sheets: RawSheet[] }
  | { readonly bytes: Uint8Array }
  | { readonly fault: string; readonly code: string }
)

/** Before the page makes rows of them. */
const readWhole = async (bytes: Uint8Array): Promise<RawSheet[]> => {
  const sheets = await readSheets(bytes)
  checkExtents(sheets)
  return sheets
}

const answer = async (asked: Asked): Promise<Answered> => {
  try {
    return asked.kind === 'read'
      ? { id: asked.id, sheets: await readWhole(asked.bytes) }
      : { id: asked.id, bytes: await writeWorkbook(asked.sheets) }
  } catch (error) {
    const [problem] = (error as { problems?: { code: string; message: string }[] }).problems ?? []
    return { id: asked.id, fault: problem?.message ?? String(error), code: problem?.code ?? '' }
  }
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  void answer(data).then((found) => postMessage(found))
})
