// One page with the codes of all phones of a project, to be printed and cut. It is made as it is sent: a survey may have
// thousands of phones.
import { type ChosenSettings, encodeSettings } from '../../formats/collect-settings/index.js'
import { codeOf, svgOf } from '../../formats/qr/index.js'
import { takingTurns } from '../../formats/turns/index.js'
import { escapeHtml, page } from '../../platform/http/index.js'
import type { DeviceKey } from '../keys/index.js'
import { settingsOfKey } from './settings-of-key.js'
import { type SheetLanguage, sheetWords } from './sheet-words.js'

const style = `
  body { max-width: 60rem; padding: 2rem 1rem } h1 { overflow-wrap: anywhere }
  .codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; margin: 1.5rem 0 0; padding: 0; list-style: none }
  .codes li { padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; text-align: center; break-inside: avoid; overflow-wrap: anywhere }
  .codes svg { display: block; width: 100%; border-radius: .375rem } .codes b { display: block; margin-top: .5rem; font-size: 1.125rem }
  .codes small { color: var(--faint) }
  @media print { body { max-width: none; padding: 0 } .codes { grid-template-columns: repeat(3, 1fr); gap: .5rem } .codes li { border-style: dashed } }`

/** Nothing runs on it and nothing comes from elsewhere. */
export const sheetPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface SheetKey {
  readonly key: Pick<DeviceKey, 'name' | 'kind' | 'expiresAt'>
  readonly token: string
}

export interface Sheet {
  readonly origin: string
  /** Of the project. */
  readonly name: string
  readonly language: SheetLanguage
  readonly chosen: ChosenSettings
}

const cardOf = ({ origin, name, language, chosen }: Sheet, { key, token }: SheetKey): string => {
  const picture = svgOf(codeOf(encodeSettings(settingsOfKey(key, { origin, token, name }, chosen))))
  const end =
    key.expiresAt === null
      ? ''
      : `<br><small>${sheetWords[language].until} <time>${key.expiresAt.toISOString().slice(0, 10)}</time></small>`
  return `<li>${picture}<b dir="auto">${escapeHtml(key.name)}</b><small dir="auto">${escapeHtml(name)}</small>${end}</li>`
}

const place = '<!-- codes -->'

/** In pieces, with others in between: a code takes a few milliseconds. */
export async function* sheetOf(sheet: Sheet, keys: readonly SheetKey[]): AsyncGenerator<string> {
  const { name, language } = sheet
  const words = sheetWords[language]
  const top = `<h1 dir="auto">${escapeHtml(name)}</h1><p>${escapeHtml(keys.length === 0 ? words.none : words.scan)}</p>`
  const spoken = `lang="${language}" dir="${words.direction}"`
  const whole = page(`${words.keys}: ${name}`, `${top}<ul class="codes">${place}</ul>`, style, spoken)
  const [start = '', end = ''] = whole.split(place)
  yield start
  const pause = takingTurns()
  for (const key of keys) {
    yield cardOf(sheet, key)
    await pause()
  }
  yield end
}
