import { describe, expect, it } from 'vitest'
import type { Plan, Tree } from '@/api/versions'
import { sentencesOf } from '@/parts/publish/plan-words'
import { useTexts } from '@/texts'
import en from '@/texts/en/form-versions'
import { differencesBetween, isSame } from './differences'

const tree = (children: object[], choices: object = {}): Tree => ({ children, choices }) as Tree
const age = { type: 'integer', name: 'age', label: 'Age', bind: { type: 'int' } }

describe('differences between two versions', () => {
  it('are none between a version and itself, whatever the server adds', () => {
    const meta = { type: 'group', name: 'meta', children: [{ type: 'calculate', name: 'instanceID' }] }
    expect(isSame(differencesBetween(tree([age]), tree([age, meta])))).toBe(true)
  })

  it('names what came and what went, within groups too', () => {
    const group = (children: object[]) => ({ type: 'group', name: 'house', label: 'House', children })
    const found = differencesBetween(tree([group([age])]), tree([group([{ ...age, name: 'years' }])]))
    expect(found.added.map(({ key }) => key)).toEqual(['house/years'])
    expect(found.removed.map(({ key }) => key)).toEqual(['house/age'])
    expect(found.changed).toEqual([])
  })

  it('says which part of a question changed, and in which language', () => {
    const former = { ...age, label: { English: 'Age', 'French (fr)': 'Âge' } }
    const next = {
      ...age,
      type: 'decimal',
      label: { English: 'Age', 'French (fr)': 'Quel âge ?' },
      bind: { relevant: '${sex} = 1' },
    }
    expect(differencesBetween(tree([former]), tree([next])).changed[0]?.changes).toEqual([
      { part: 'label', language: 'French (fr)', from: 'Âge', to: 'Quel âge ?' },
      { part: 'type', from: 'integer', to: 'decimal' },
      { part: 'relevant', from: '', to: '${sex} = 1' },
    ])
  })

  it('shows expressions as their author wrote them', () => {
    const next = {
      ...age,
      bind: { relevant: "/data/house/sex = '1' and /data/name != ''", constraint: '. > /other/x' },
    }
    expect(differencesBetween(tree([age]), { ...tree([next]), name: 'data' }).changed[0]?.changes).toEqual([
      { part: 'relevant', from: '', to: "${sex} = '1' and ${name} != ''" },
      { part: 'constraint', from: '', to: '. > /other/x' },
    ])
  })

  it('says which choices came, went and have other words, of a list that questions share', () => {
    const sex = { type: 'select one', name: 'sex', label: 'Sex', itemset: 'sex' }
    const [f, m, x] = [
      { name: 'f', label: 'Female' },
      { name: 'm', label: 'Male' },
      { name: 'x', label: 'Other' },
    ]
    const found = differencesBetween(tree([sex], { sex: [f, m] }), tree([sex], { sex: [{ ...f, label: 'Woman' }, x] }))
    expect(found.changed[0]?.choices).toEqual({ added: [x], removed: [m], reworded: [{ name: 'f', label: 'Woman' }] })
  })

  it('sees another order alone', () => {
    const name = { type: 'text', name: 'name' }
    const found = differencesBetween(tree([age, name]), tree([name, age]))
    expect([found.isReordered, found.changed]).toEqual([true, []])
    expect(isSame(found)).toBe(false)
  })

  it('takes 500 questions and 1,000 choices in a moment', () => {
    const choices = Array.from({ length: 1000 }, (_, at) => ({ name: `c${at}`, label: `Choice ${at}` }))
    const questions = Array.from({ length: 500 }, (_, at) => ({ type: 'select one', name: `q${at}`, itemset: 'l' }))
    const found = differencesBetween(tree(questions, { l: choices }), tree(questions, { l: choices.slice(1) }))
    expect(found.changed).toHaveLength(500)
  })
})

describe('a plan in words', () => {
  const t = useTexts(en)
  const nothing: Plan = {
    id_string_matches: true,
    added: [],
    removed: [],
    renamed: [],
    type_changed: [],
    choices_removed: [],
    constraints: [],
    removed_with_answers: [],
    affected: { widgets: [], dataviews: [], rest_services: [] },
    warnings: [],
  }

  it('says the worst first, and what is lost once', () => {
    const plan = {
      ...nothing,
      added: ['height'],
      removed: ['shoe', 'hat'],
      removed_with_answers: [{ question: 'shoe', answers: 9 }],
      choices_removed: [{ question: 'sex', choices: [{ name: 'x', answers: 2 }] }],
      constraints: [{ question: 'age', constraint: '. < 120', breaking_answers: null, reason: 'x' }],
    }
    const found = sentencesOf(plan, t, (key) => key.toUpperCase())
    expect(found.map(({ kind }) => kind)).toEqual(['fault', 'warn', 'warn', 'note', 'note'])
    expect(found[0]?.text).toContain('SHOE')
    expect(found.filter(({ text }) => text.includes('SHOE'))).toHaveLength(1)
  })

  it('is nothing where nothing changes', () => expect(sentencesOf(nothing, t, String)).toEqual([]))
})
