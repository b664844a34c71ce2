// What was typed, as a file for the person: the XML that would be sent, and its pictures.
import { writeZip } from '@sheaf/xlsform/workbook'
import { find, picturesOf } from './filled'
import type { Answers } from './types'

const save = (blob: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

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
  save(new Blob([await writeZip(parts)], { type: 'application/zip' }), fileName(title))
}

export const downloadFilled = async (id: string): Promise<void> => {
  const filled = await find(id)
  if (filled !== undefined) await downloadAnswers(filled.title, { xml: filled.xml, files: await picturesOf(id) })
}
