import { mediaKinds } from '../tables/columns.js'
import { missingText } from '../xform/itext.js'
import type { ModelEntity, ModelMedia, ModelText } from './model.js'

/** Texts in the order of the form's languages, without those that only stand for a missing one. */
export const sortTexts = (texts: ModelText[], languages: readonly string[], isInItext: boolean): ModelText[] => {
  const real = texts.filter(({ text }) => text !== '' && !(isInItext && text === missingText))
  if (real.length < 2) return real
  const rank = (language: string | null): number => (language === null ? -1 : languages.indexOf(language))
  return real.sort((a, b) => rank(a.language) - rank(b.language))
}

/** Media by kind, then in the order of the form's languages. */
export const sortMedia = (media: ModelMedia[], languages: readonly string[]): ModelMedia[] =>
  media.length < 2
    ? media
    : media.sort(
        (a, b) =>
          mediaKinds.indexOf(a.kind) - mediaKinds.indexOf(b.kind) ||
          languages.indexOf(a.language) - languages.indexOf(b.language),
      )

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
