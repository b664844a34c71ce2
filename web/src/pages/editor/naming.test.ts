import { describe, expect, it } from 'vitest'
import { freeName, isMadeFrom, nameFor, plainName } from './naming'

describe('names made from labels', () => {
  it('letters, digits and lines, without marks', () => {
    expect(plainName('How old are you?')).toBe('how_old_are_you')
    expect(plainName('  Prénom de l’élève ')).toBe('prenom_de_l_eleve')
    expect(plainName('Age of ${name}, <b>really</b>')).toBe('age_of_really')
  })

  it('begin with a letter, and hold whole words only', () => {
    expect(plainName('2nd visit')).toBe('q_2nd_visit')
    expect(plainName('How many people slept here last night, all in all?')).toBe('how_many_people_slept_here_last')
    expect(plainName('a'.repeat(60))).toHaveLength(32)
  })

  it('a label without Latin letters gets the name of its kind', () => {
    expect(plainName('ما اسمك؟')).toBe('')
    expect(nameFor('ما اسمك؟', 'text', new Set(['text']))).toBe('text_2')
  })

  it('a taken name gets a number', () => {
    expect(freeName('age', new Set(['age', 'age_2']))).toBe('age_3')
  })

  it('a name follows its label only where it was made from it', () => {
    expect(isMadeFrom('', 'Age', 'integer')).toBe(true)
    expect(isMadeFrom('age', 'Age', 'integer')).toBe(true)
    expect(isMadeFrom('age_2', 'Age', 'integer')).toBe(true)
    expect(isMadeFrom('text_3', '', 'text')).toBe(true)
    expect(isMadeFrom('years', 'Age', 'integer')).toBe(false)
  })
})
