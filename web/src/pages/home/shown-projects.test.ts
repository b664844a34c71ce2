import { describe, expect, it } from 'vitest'
import { ownersOf, shownProjects } from './shown-projects'

const project = (name: string, owner: string, more: object = {}) => ({
  name,
  owner: `http://x/api/v1/users/${owner}`,
  starred: false,
  tags: [] as string[],
  ...more,
})
const all = [
  project('Wells 10', 'ana'),
  project('Wells 2', 'acme', { tags: ['water'] }),
  project('Schools', 'acme', { starred: true }),
]
const names = (text: string, owner = '') => shownProjects(all, { text, owner }).map(({ name }) => name)

describe('projects of the start page', () => {
  it('starred first, then by name, 2 before 10', () => expect(names('')).toEqual(['Schools', 'Wells 2', 'Wells 10']))
  it('every word counts, in names, owners and labels', () => {
    expect(names('WATER wells')).toEqual(['Wells 2'])
    expect(names('acme')).toEqual(['Schools', 'Wells 2'])
    expect(names('.*')).toEqual([])
  })
  it('of one owner', () => expect(names('', 'ana')).toEqual(['Wells 10']))
  it('owners are named once', () => expect(ownersOf(all)).toEqual(['acme', 'ana']))
})
