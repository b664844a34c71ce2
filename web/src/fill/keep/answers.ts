// Answers as the renderer hands them out: the XML, and a file for each picture.
import { withMeta } from './meta'
import type { Answers, Filled, Picture, Typed } from './types'

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

/** Only where something is hidden: most forms hide nothing. */
export const hiddenIn = ({ xml, all }: Typed): Pick<Filled, 'all'> => (all === undefined || all === xml ? {} : { all })

/** What a draft is opened with: all that was answered, under its ids. */
export const heldIn = (draft: Filled): string => {
  try {
    return draft.all === undefined ? draft.xml : withMeta(draft.all, draft)
  } catch {
    return draft.xml
  }
}

/** Pictures are large, and the same one is handed out again with every word that is typed. */
export const isSameBlob = async (one: Blob | undefined, other: Blob): Promise<boolean> => {
  if (one === other) return true
  if (one === undefined || one.size !== other.size) return false
  const [a, b] = await Promise.all([one.arrayBuffer(), other.arrayBuffer()])
  const [first, second] = [new Uint8Array(a), new Uint8Array(b)]
  return first.every((byte, at) => byte === second[at])
}
