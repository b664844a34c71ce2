import type { Choice, ChoiceList } from '../choices/choice-lists.js'
import { lastSavedInstance, lastSavedSource } from '../references/resolver.js'
import { textXml } from '../references/texts.js'
import type { MediaKind } from '../tables/columns.js'
import type { TextCell } from '../tables/table.js'
import { attribute, escapeText } from '../xml/escape.js'
import type { Form } from './form.js'
import { missingText } from './itext.js'
import type { Output } from './output.js'

const mediaFolders: Record<MediaKind, string> = {
  image: 'jr://images/',
  'big-image': 'jr://images/',
  audio: 'jr://audio/',
  video: 'jr://video/',
}

export const mediaUri = (kind: MediaKind, file: string): string => `${mediaFolders[kind]}${file}`

/** Instances from files, the last saved submission and the choice lists. */
export const writeSecondaryInstances = (form: Form, out: Output): void => {
  for (const { id, src } of form.survey.externals.list())
    out.push(`<instance${attribute('id', id)}${attribute('src', src)}/>`)
  if (form.resolver.usesLastSaved) out.push(`<instance id="${lastSavedInstance}" src="${lastSavedSource}"/>`)
  for (const list of form.survey.lists.values()) if (isInstance(list, form)) writeList(list, out)
}

/** Lists of search() selects are written into the control, and are an instance only when something else reads them. */
export const isInstance = (list: ChoiceList, { survey, resolver }: Form): boolean =>
  list.searchRow === null || list.isRead || (resolver.instanceUses.has(list.name) && !survey.externals.has(list.name))

const writeList = (list: ChoiceList, out: Output): void => {
  const { needsItext } = list
  out.push(`<instance${attribute('id', list.name)}><root>`)
  for (const [index, choice] of list.choices.entries()) {
    const label = choice.label[0]
    let item = needsItext ? `<item><itextId>${escapeText(itextId(list, index))}</itextId>` : '<item>'
    item += `<name>${escapeText(choice.name)}</name>`
    if (!needsItext && label !== undefined) item += `<label>${escapeText(label.text)}</label>`
    for (const [name, value] of choice.data) item += `<${name}>${escapeText(value)}</${name}>`
    out.push(`${item}</item>`)
  }
  out.push('</root></instance>')
}

export const itextId = (list: ChoiceList, index: number): string => `${list.name}-${index}`

/** Texts of the choices of lists that need itext. Their references are always absolute. */
export const collectChoiceTexts = (form: Form): void => {
  for (const list of form.survey.lists.values())
    if (list.needsItext)
      for (const [index, choice] of list.choices.entries()) collectTexts(form, choice, itextId(list, index))
}

const collectTexts = (form: Form, { row, label, media }: Choice, id: string): void => {
  const write = ({ text, column }: TextCell): string =>
    textXml({ text, sheet: 'choices', row, column }, form.root, form.resolver, { isAbsolute: true })
  for (const cell of label) form.itext.add(id, '', cell.language, write(cell))
  for (const [kind, cells] of media)
    for (const cell of cells) form.itext.add(id, kind, cell.language, mediaUri(kind, write(cell).trim()))
  if (label.length === 0 && media.length === 0) form.itext.add(id, '', null, missingText)
}
