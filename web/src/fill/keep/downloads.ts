// What was typed, as a file for the person: the XML that would be sent, and its pictures.
import { writeZip } from '@sheaf/xlsform/workbook'
import { saveFile } from '../../parts/save-file'
import { find, picturesOf } from './filled'
import type { Answers } from './types'

/** What no file system minds. */
const fileName = (title: string): string => {
  const plain = title
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .slice(0, 60)
  return `${plain || 'form'} ${new Date().toISOString().slice(0, 10)}.zip`
}

export const downloadAnswers = async (title: string, { xml, files }: Answers): Promise<void> => {
  const parts = new Map<string, string | Uint8Array>([['submission.xml', xml]])
  for (const { name, blob } of files) parts.set(name, new Uint8Array(await blob.arrayBuffer()))
  saveFile(new Blob([await writeZip(parts)], { type: 'application/zip' }), fileName(title))
}

export const downloadFilled = async (id: string): Promise<void> => {
  const filled = await find(id)
  if (filled !== undefined) await downloadAnswers(filled.title, { xml: filled.xml, files: await picturesOf(id) })
}
