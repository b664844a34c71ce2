// What was typed, as a file for the person: the XML that would be sent, and its pictures.
import { find, picturesOf } from './filled'
import type { Answers } from './types'
import { zipOf } from './zip'

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
  const pictures = files.map(async ({ name, blob }) => ({ name, bytes: new Uint8Array(await blob.arrayBuffer()) }))
  const entries = [{ name: 'submission.xml', bytes: new TextEncoder().encode(xml) }, ...(await Promise.all(pictures))]
  save(zipOf(entries), fileName(title))
}

export const downloadFilled = async (id: string): Promise<void> => {
  const filled = await find(id)
  if (filled !== undefined) await downloadAnswers(filled.title, { xml: filled.xml, files: await picturesOf(id) })
}
