import { describe, expect, it } from 'vitest'
import type { Project } from '@/api/projects'
import { formIn } from './go-to'
import { formsOf, peopleOf, recordEntry } from './palette-sources'

const project = (id: number, users: string[]) =>
  ({
    projectid: id,
    name: `Project ${id}`,
    forms: [{ formid: id * 10, name: `Form ${id}` }],
    users: users.map((user) => ({
      user,
      first_name: user === 'cy' ? '' : 'A',
      last_name: '',
      is_org: user === 'acme',
    })),
  }) as unknown as Project

describe('what the palette finds', () => {
  it('forms of all projects, with the project that each is in', () => {
    expect(formsOf([project(1, []), project(2, [])]).map(({ label, about, to }) => [label, about, to])).toEqual([
      ['Form 1', 'in Project 1', '/forms/10'],
      ['Form 2', 'in Project 2', '/forms/20'],
    ])
  })

  it('people each once, without oneself and without organizations', () => {
    const found = peopleOf([project(1, ['ana', 'ben', 'acme']), project(2, ['ben', 'cy'])], 'ana')
    expect(found.map(({ label, to }) => [label, to])).toEqual([
      ['A (ben)', '/projects/1/people'],
      ['cy', '/projects/2/people'],
    ])
  })

  it('a record by its first answers, without what the server added', () => {
    const record = {
      _id: 7,
      _uuid: 'u-7',
      'meta/instanceID': 'uuid:u-7',
      start: 'x',
      name: 'Lina',
      age: 31,
      photo: null,
    }
    expect(recordEntry('3', record)).toMatchObject({ label: 'Lina · 31', about: '#7', to: '/forms/3/records/u-7' })
    expect(recordEntry('3', { _id: 8, _uuid: 'u-8' }).label).toBe('u-8')
  })

  it.each([
    ['/forms/12', '12'],
    ['/forms/12/data', '12'],
    ['/forms/x', undefined],
    ['/projects/12', undefined],
  ])('the form of %s is %s', (path, id) => {
    expect(formIn(path)).toBe(id)
  })
})
