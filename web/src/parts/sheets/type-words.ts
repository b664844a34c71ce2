// Types of questions in plain words and as icons.
import { questionTypes } from '@sheaf/xlsform/language'
import * as icons from '@/look/icons'
import { useTexts } from '@/texts'
import en from '@/texts/en/sheets'

const ofGroup = {
  words: icons.edit,
  numbers: icons.chart,
  choices: icons.check,
  times: icons.calendar,
  places: icons.pin,
  media: icons.image,
  structure: icons.folder,
  unseen: icons.eyeOff,
  files: icons.form,
} as const

const own = new Map<string, icons.Glyph>([
  ['note', icons.note],
  ['barcode', icons.qr],
  ['begin_repeat', icons.refresh],
  ['end_repeat', icons.refresh],
  ['time', icons.clock],
  ['file', icons.form],
  ['audio', icons.play],
  ['video', icons.play],
  ['username', icons.person],
  ['deviceid', icons.phone],
])
const groups = new Map(questionTypes.map(({ name, group }) => [name, ofGroup[group]]))

export const typeIcon = (name: string): icons.Glyph => own.get(name) ?? groups.get(name) ?? icons.help

const known = new Set(questionTypes.map(({ name }) => name))

/** The plain name of a type; as it is written where it has none. */
export const useTypeWords = (): ((name: string) => string) => {
  const t = useTexts(en)
  return (name) => (known.has(name) ? t(`type-${name}` as Parameters<typeof t>[0]) : name)
}
