import { mediaKinds } from '../tables/columns.js'
import { missingText } from '../xform/itext.js'
import type { ModelEntity, ModelMedia, ModelText } from './model.js'

const ranks = new WeakMap<readonly string[], Map<string, number>>()

/** The place of each language; looked up once for all texts of a form, of which each may have hundreds of languages. */
const ranksOf = (languages: readonly string[]): ReadonlyMap<string, number> => {
  const known = ranks.get(languages) ?? new Map(languages.map((language, rank) => [language, rank]))
  ranks.set(languages, known)
  return known
}

/** Texts in the order of the form's languages, without those that only stand for a missing one. */
export const sortTexts = (texts: ModelText[], languages: readonly string[], isInItext: boolean): ModelText[] => {
  const real = texts.filter(({ text }) => text !== '' && !(isInItext && text === missingText))
  if (real.length < 2) return real
  const known = ranksOf(languages)
  const rank = (language: string | null): number => (language === null ? -1 : (known.get(language) ?? -1))
  return real.sort((a, b) => rank(a.language) - rank(b.language))
}

/** Media by kind, then in the order of the form's languages. */
export const sortMedia = (media: ModelMedia[], languages: readonly string[]): ModelMedia[] => {
  if (media.length < 2) return media
  const known = ranksOf(languages)
  const rank = (language: string): number => known.get(language) ?? -1
  return media.sort(
    (a, b) => mediaKinds.indexOf(a.kind) - mediaKinds.indexOf(b.kind) || rank(a.language) - rank(b.language),
  )
}

/** The id in `instance('id')/root/item[…]`, also within randomize(…). */
export const listOfNodeset = (nodeset: string): string | null => {
  const match = /^\s*(?:randomize\s*\(\s*)?instance\s*\(\s*(?:'([^']*)'|"([^"]*)")/.exec(nodeset)
  return match?.[1] ?? match?.[2] ?? null
}

/** One order for entities, since the sheet's is not kept in the XForm. */
export const sortEntities = (entities: ModelEntity[]): ModelEntity[] => {
  const key = ({ container, dataset }: ModelEntity): string => `${container}\n${dataset}`
  return entities.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Forms without tags are stored without a word on them. */
export const hxlOf = (tag: string | null | undefined): { hxl?: string } => {
  const text = tag?.trim() ?? ''
  return text === '' ? {} : { hxl: text }
}
