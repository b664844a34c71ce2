// Which files a form names: pictures and sounds of labels and choices, tables that it reads. A device that does not get one
// of them shows a gap, or cannot open the form at all.
import { type FormModel, type ModelMedia, walkModel } from '@sheaf/xlsform/form'
import { linkIn } from './media-links.js'
import type { Metadata } from './metadata.queries.js'

const addressed = /^jr:\/\/(?:images|audio|video|file|file-csv)\/(.+)$/

/** The name without its folder; nothing for an address that is no file, such as that of the record that was last saved. */
const fileIn = (address: string): string[] => {
  const name = addressed.exec(address)?.[1]
  return name === undefined ? [] : [name]
}

const plainName = (text: string): string[] => (text.startsWith('jr://') ? fileIn(text) : [text])

const filesOf = (media: readonly ModelMedia[]): string[] => media.flatMap(({ file }) => plainName(file))

/** `search('fruits')` reads `fruits.csv`. */
const searched = (appearance: string | null): string[] => {
  const [, single, double] = /\bsearch\(\s{0,5}(?:'([^']{1,200})'|"([^"]{1,200})")/.exec(appearance ?? '') ?? []
  const name = single ?? double
  return name === undefined ? [] : [name.endsWith('.csv') ? name : `${name}.csv`]
}

const namedIn = ({ children, choiceLists, externalInstances }: FormModel): readonly string[] => {
  const named = new Set(externalInstances.flatMap(({ src }) => fileIn(src)))
  const add = (names: readonly string[]) => {
    for (const name of names) named.add(name)
  }
  for (const { choices } of choiceLists) for (const { media } of choices) add(filesOf(media))
  for (const node of walkModel(children)) {
    add([...filesOf(node.media), ...searched(node.appearance)])
    if (node.kind !== 'question') continue
    add(fileIn(node.default ?? ''))
    for (const { media } of node.choices ?? []) add(filesOf(media))
  }
  // What a name with an expression comes to is known on the device alone.
  return [...named].filter((name) => !name.includes('${')).sort()
}

const known = new WeakMap<FormModel, readonly string[]>()

const namedFiles = (model: FormModel): readonly string[] => {
  const names = known.get(model) ?? namedIn(model)
  known.set(model, names)
  return names
}

/** The name under which devices get it. Addresses on other servers are not handed to them. */
const givenName = ({ dataType, dataValue, fileKey }: Metadata): string[] => {
  if (dataType !== 'media') return []
  const name = fileKey === null ? linkIn(dataValue)?.filename : dataValue
  return name === undefined ? [] : [name]
}

export const missingFiles = (model: FormModel, metadata: readonly Metadata[]): string[] => {
  const present = new Set(metadata.flatMap(givenName))
  return namedFiles(model).filter((name) => !present.has(name))
}
