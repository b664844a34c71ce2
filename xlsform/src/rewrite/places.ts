// Where the parts of an XForm stand in its text.
import { SaxesParser } from 'saxes'

export interface Span {
  readonly start: number
  readonly end: number
}

interface Tag extends Span {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

export interface XFormPlaces {
  /** Text of the title. */
  readonly title: Span | undefined
  /** Start tag of the primary instance's root. */
  readonly root: Tag
  /** The root begins with `form/uuid` and nothing else in `form`. */
  readonly uuidNode: boolean
  /** The author has a node `form` with other contents. */
  readonly hasOwnFormNode: boolean
  readonly uuidBind: Span | undefined
  readonly submission: Tag | undefined
  /** Right behind the last instance: where binds may begin. */
  readonly bindsAt: number
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Attribute values hold no `<`, so the last one before the end of a tag begins it. */
const tagStart = (xml: string, end: number): number => xml.lastIndexOf('<', end - 1)

export const locate = (xml: string): XFormPlaces => {
  const parser = new SaxesParser()
  const open: Tag[] = []
  const path: string[] = []
  const insideForm: string[] = []
  let hasForm = false
  let bindsAt = 0
  let title: Span | undefined
  let root: Tag | undefined
  let submission: Tag | undefined
  let uuidBind: Span | undefined
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const tag = { name, attributes, start: tagStart(xml, parser.position), end: parser.position }
    open.push(tag)
    path.push(localName(name))
    const isInFirstInstance = bindsAt === 0 && path[3] === 'instance'
    if (isInFirstInstance && path.length === 5) root ??= tag
    if (isInFirstInstance && path[5] === 'form') {
      hasForm = true
      if (path.length > 6) insideForm.push(localName(name))
    }
  })
  parser.on('closetag', () => {
    const tag = open.pop() as Tag
    const whole = { ...tag, end: parser.position }
    switch (path.slice(1).join('/')) {
      case 'head/title':
        title = { start: tag.end, end: tagStart(xml, parser.position) }
        break
      case 'head/model/instance':
        // Only the first one is the form's own.
        if (bindsAt === 0) bindsAt = parser.position
        break
      case 'head/model/submission':
        submission = whole
        break
      case 'head/model/bind':
        if (tag.attributes.nodeset === `/${root?.name ?? ''}/form/uuid`) uuidBind = whole
    }
    path.pop()
  })
  parser.write(xml).close()
  if (root === undefined) throw new Error('The XForm has no primary instance')
  const uuidNode = hasForm && insideForm.length === 1 && insideForm[0] === 'uuid'
  return { title, root, uuidNode, hasOwnFormNode: hasForm && !uuidNode, uuidBind, submission, bindsAt }
}
