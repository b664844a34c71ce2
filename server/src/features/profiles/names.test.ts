import { describe, expect, it } from 'vitest'
import { namesOf, splitName } from './names.js'

describe('splitName', () => {
  it.each([
    ['Ana', { firstName: 'Ana', lastName: '' }],
    ['Ana Silva', { firstName: 'Ana', lastName: 'Silva' }],
    ['Ana Maria Silva', { firstName: 'Ana', lastName: 'Maria Silva' }],
    ['x'.repeat(70), { firstName: 'x'.repeat(30), lastName: 'x'.repeat(30) }],
  ])('%s', (name, parts) => expect(splitName(name)).toEqual(parts))
})

describe('namesOf', () => {
  it('the explicit fields win over name', () => {
    expect(namesOf({ name: 'Ana Silva', first_name: 'Bea' })).toEqual({ firstName: 'Bea', lastName: 'Silva' })
    expect(namesOf({})).toEqual({ firstName: undefined, lastName: undefined })
  })
})
