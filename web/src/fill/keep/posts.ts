// A filled form as posts: one, or several where it is larger than the server takes at once. Then each has the XML and some whole
// files, and all but the last say that more is to come.
import { xmlPart } from './answers'
import type { Picture } from './types'

export interface Post {
  readonly files: readonly Picture[]
  readonly isLast: boolean
  readonly bytes: number
}

/** Boundary, names and headers of one part. */
const partBytes = 400

export const bytesOf = (xml: string, files: readonly Picture[]): number =>
  files.reduce((sum, { blob }) => sum + blob.size + partBytes, new Blob([xml]).size + partBytes)

/** A file that is larger than all of it comes alone. */
export const postsOf = (xml: string, files: readonly Picture[], mostBytes: number): Post[] => {
  const groups: Picture[][] = [[]]
  for (const file of files) {
    const group = groups.at(-1) ?? []
    if (group.length > 0 && bytesOf(xml, [...group, file]) + partBytes > mostBytes) groups.push([file])
    else group.push(file)
  }
  return groups.map((group, at) => ({
    files: group,
    isLast: at === groups.length - 1,
    bytes: bytesOf(xml, group),
  }))
}

export const bodyOf = (xml: string, { files, isLast }: Post): FormData => {
  const body = new FormData()
  body.set(xmlPart, new Blob([xml], { type: 'text/xml' }), 'submission.xml')
  for (const { name, blob } of files) body.append(name, blob, name)
  if (!isLast) body.set('*isIncomplete*', 'yes')
  return body
}
