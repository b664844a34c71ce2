// Forms to start from. Each is loaded when it is chosen.
import type { RawSheet } from '@sheaf/xlsform/sheets'
import { useTexts } from '@/texts'
import en from '@/texts/en/templates'

export type TemplateId =
  | 'household'
  | 'facility'
  | 'prices'
  | 'water'
  | 'attendance'
  | 'registration'
  | 'incident'
  | 'trees'

export interface TemplateEntry {
  readonly id: TemplateId
  /** What people are asked: without groups, notes and what phones work out. */
  readonly questions: number
}

export const templates: readonly TemplateEntry[] = [
  { id: 'household', questions: 25 },
  { id: 'facility', questions: 30 },
  { id: 'prices', questions: 21 },
  { id: 'water', questions: 24 },
  { id: 'attendance', questions: 23 },
  { id: 'registration', questions: 27 },
  { id: 'incident', questions: 25 },
  { id: 'trees', questions: 22 },
]

const loaders: Readonly<Record<TemplateId, () => Promise<{ readonly default: RawSheet[] }>>> = {
  household: () => import('./household'),
  facility: () => import('./facility'),
  prices: () => import('./prices'),
  water: () => import('./water'),
  attendance: () => import('./attendance'),
  registration: () => import('./registration'),
  incident: () => import('./incident'),
  trees: () => import('./trees'),
}

/** Its sheets, as `compileSheets` takes them, for whoever asks alone. */
export const loadTemplate = async (id: TemplateId): Promise<RawSheet[]> =>
  structuredClone((await loaders[id]()).default)

/** How a template is called, and what it is for, in the language of the page. */
export const useTemplateWords = (): ((id: TemplateId) => { readonly name: string; readonly about: string }) => {
  const t = useTexts(en)
  return (id) => ({ name: t(`name-${id}`), about: t(`about-${id}`) })
}
