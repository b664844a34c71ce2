// Answers as the renderer hands them out: the XML, and a file for each picture.
import type { Answers, Picture } from './types'

export const xmlPart = 'xml_submission_file'

export const answersOf = async (data: FormData): Promise<Answers> => {
  let xml = ''
  const files: Picture[] = []
  for (const [name, value] of data) {
    if (name === xmlPart) xml = typeof value === 'string' ? value : await value.text()
    else if (typeof value !== 'string') files.push({ name, blob: value })
  }
  return { xml, files }
}

/** Pictures are large, and the same one is handed out again with every word that is typed. */
export const isSameBlob = async (one: Blob | undefined, other: Blob): Promise<boolean> => {
  if (one === other) return true
  if (one === undefined || one.size !== other.size) return false
  const [a, b] = await Promise.all([one.arrayBuffer(), other.arrayBuffer()])
  const [first, second] = [new Uint8Array(a), new Uint8Array(b)]
  return first.every((byte, at) => byte === second[at])
}
