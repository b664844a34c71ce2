// Templates are what a newcomer starts from: they compile without a word of complaint, and can be filled in both languages.
import { formatProblem, walkModel } from '@sheaf/xlsform/form'
import { checkSheets, gridOf, type RawSheet } from '@sheaf/xlsform/sheets'
import { describe, expect, it } from 'vitest'
import type { Catalogue, Entries } from '@/texts/catalogue'
import { loadTemplate, templates, useTemplateWords } from './index'

const loaded: ReadonlyMap<string, RawSheet[]> = new Map(
  await Promise.all(templates.map(async ({ id }) => [id, await loadTemplate(id)] as const)),
)
const sheetsOf = (id: string): RawSheet[] => loaded.get(id) ?? []

const asked = (id: string) => {
  const { form } = checkSheets(sheetsOf(id))
  if (form === null) throw new Error(`${id} does not compile`)
  const questions = [...walkModel(form.model.children)].filter(({ kind }) => kind === 'question')
  const isOwn = new Set(['start', 'end', 'today', 'note', 'calculate'])
  // A table of selects has a row of its own for its headings.
  const isMade = (name: string) => name.startsWith('reserved_') || name.startsWith('generated_')
  return {
    form,
    questions: questions.filter((node) => node.kind === 'question' && !isOwn.has(node.type) && !isMade(node.name)),
  }
}

/** What stands on the left of two columns stands on the right of them. */
const pairs = [
  ['label::English (en)', 'label::French (fr)'],
  ['label::French (fr)', 'label::English (en)'],
  ['hint::English (en)', 'hint::French (fr)'],
  ['hint::French (fr)', 'hint::English (en)'],
  ['constraint', 'constraint_message::English (en)'],
  ['constraint', 'constraint_message::French (fr)'],
] as const

const rowsWithout = (sheet: RawSheet, one: string, other: string): string[] => {
  const [headings = [], ...rows] = gridOf(sheet)
  const at = headings.indexOf(one)
  if (at < 0) return []
  const beside = headings.indexOf(other)
  return rows
    .filter((row) => (row[at] ?? '') !== '' && (row[beside] ?? '') === '')
    .map((row) => `${sheet.name}: ${row.join(' | ')}`)
}

const words = import.meta.glob<{ default: Entries | Catalogue }>('../texts/*/templates.ts', { eager: true })

describe('templates', () => {
  it('are called something, and say what they are for, in six languages', () => {
    const all = Object.values(words).map(({ default: one }) => ('entries' in one ? one.entries : one) as Entries)
    expect(all).toHaveLength(6)
    for (const entries of all) {
      const names = templates.map(({ id }) => entries[`name-${id}`])
      expect(new Set(names.filter((name) => typeof name === 'string' && name !== '')).size).toBe(8)
      expect(templates.filter(({ id }) => !entries[`about-${id}`])).toEqual([])
    }
  })

  it('there are eight', () => {
    expect(templates).toHaveLength(8)
  })

  it('are told of in the language of the page', () => {
    const { name, about } = useTemplateWords()('water')
    expect([name, about]).toEqual(['Water point', expect.stringContaining('yield')])
  })

  it('whoever loads one has it alone', async () => {
    const [mine] = await loadTemplate('water')
    mine?.rows.splice(0)
    expect((await loadTemplate('water'))[0]?.rows.length).toBeGreaterThan(10)
  })

  describe.each(templates.map(({ id, questions }) => [id, questions] as const))('%s', (id, questions) => {
    it('compiles without problems and warnings', () => {
      const { form, problems, warnings } = checkSheets(sheetsOf(id))
      expect([...problems, ...warnings].map(formatProblem)).toEqual([])
      expect(form?.formId).toMatch(/^[a-z_]+$/)
    })

    it('asks as much as it says: 12 to 30 questions in groups, with a place, a photo, and checks that say what is wrong', () => {
      const { form, questions: all } = asked(id)
      expect(all).toHaveLength(questions)
      expect(questions >= 12 && questions <= 30).toBe(true)
      const types = new Set(all.map((node) => (node.kind === 'question' ? node.type : '')))
      expect([types.has('geopoint'), types.has('image')]).toEqual([true, true])
      expect(form.xform).toContain('constraint=')
      expect(form.xform).toContain('relevant=')
      const containers = [...walkModel(form.model.children)].filter(({ kind }) => kind !== 'question')
      expect(containers.length).toBeGreaterThanOrEqual(3)
    })

    it('has every text in both languages, and a message for every check', () => {
      const alone = sheetsOf(id).flatMap((sheet) => pairs.flatMap(([one, other]) => rowsWithout(sheet, one, other)))
      expect(alone).toEqual([])
    })
  })
})
