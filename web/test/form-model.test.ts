import { describe, expect, it } from 'vitest'
import { choiceLabel, labelOf, readForm } from '@/api/form-model'
import { bestLanguage } from '@/parts/form-language'

const tree = {
  title: 'Visit',
  version: '3',
  default_language: 'English (en)',
  children: [
    { type: 'group', name: 'form', children: [{ type: 'calculate', name: 'uuid' }] },
    { type: 'start', name: 'start' },
    {
      type: 'group',
      name: 'house',
      label: { 'English (en)': 'The house', 'Français (fr)': 'La maison' },
      children: [
        { type: 'select one', name: 'roof', label: { 'English (en)': 'Roof' }, itemset: 'roofs' },
        {
          type: 'repeat',
          name: 'member',
          children: [
            { type: 'text', name: 'name' },
            { type: 'group', name: 'work', children: [{ type: 'integer', name: 'hours' }] },
          ],
        },
      ],
    },
    { type: 'something new', name: 'odd' },
    { type: 'group', name: 'meta', children: [{ type: 'instance_id', name: 'instanceID' }] },
  ],
  choices: { roofs: [{ name: 'iron', label: { 'English (en)': 'Iron sheets', 'Français (fr)': 'Tôle' } }] },
}

describe('readForm', () => {
  const form = readForm(tree)

  it('has the questions in order, by the keys that records have, without what the server writes for itself', () => {
    expect(form.questions.map(({ key, kind }) => `${key} ${kind}`)).toEqual([
      'start datetime',
      'house/roof choice',
      'house/member/name text',
      'house/member/work/hours number',
      'odd text',
    ])
    expect(form.questions.filter(({ isAutomatic }) => isAutomatic).map(({ key }) => key)).toEqual(['start'])
  })

  it('knows the groups and the innermost repeat around a question', () => {
    const hours = form.byKey.get('house/member/work/hours')
    expect(hours?.groups.map(({ key }) => key)).toEqual(['house', 'house/member', 'house/member/work'])
    expect(hours?.repeat).toBe('house/member')
    expect(form.byKey.get('house/roof')?.repeat).toBeUndefined()
  })

  it('has every language that a label or a choice is in, and the form’s own first of all', () => {
    expect(form.languages).toEqual(['English (en)', 'Français (fr)'])
    expect(form.defaultLanguage).toBe('English (en)')
  })

  it('a label in the language, else in another, else the name; a choice that the form does not have is its name', () => {
    const roof = form.byKey.get('house/roof')
    if (roof === undefined) throw new Error('missing')
    expect(labelOf(roof, 'Français (fr)')).toBe('Roof')
    expect(labelOf({ key: 'house/member/name', label: undefined }, 'English (en)')).toBe('name')
    expect(choiceLabel(roof, 'iron', 'Français (fr)')).toBe('Tôle')
    expect(choiceLabel(roof, 'constructor', 'Français (fr)')).toBe('constructor')
  })

  it('nothing in a tree makes it fail', () => {
    expect(readForm({}).questions).toEqual([])
    expect(
      readForm({ children: [{ type: 'select one', name: '__proto__', itemset: 'constructor' }] }).questions,
    ).toHaveLength(1)
  })
})

it('a form is shown in the language of the page where it has it, else in its own', () => {
  expect(bestLanguage(['English (en)', 'Kiswahili (sw)'], 'sw', 'English (en)')).toBe('Kiswahili (sw)')
  expect(bestLanguage(['English (en)', 'Kiswahili (sw)'], 'ar', 'English (en)')).toBe('English (en)')
  expect(bestLanguage([], 'ar', undefined)).toBeUndefined()
})
