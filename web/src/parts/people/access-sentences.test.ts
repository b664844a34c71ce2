import { describe, expect, it } from 'vitest'
import { accessWords, remaining } from './access-sentences'

const nobody = { role: 'member', sources: [], allows: [], public: false }

describe('why somebody sees a project', () => {
  it('names the role, every reason, and what it allows, once', () => {
    const words = accessWords('Ben', {
      role: 'editor',
      sources: [
        { source: 'direct', role: 'readonly', through: null },
        { source: 'team', role: 'editor', through: 'acme#nurses' },
      ],
      allows: ['view', 'view_all', 'view_data', 'export', 'submit', 'change_data'],
      public: false,
    })
    expect(words.whole).toMatch(/^Ben is here as: Editor\./)
    expect(words.reasons).toEqual(['It is shared with them directly: Reader.', 'Through the team acme#nurses: Editor.'])
    expect(words.allowed).toBe(
      'They can open it, see all records, download them, send records, and change and delete records.',
    )
  })

  it('says that nobody shared it, and that a public one is open all the same', () => {
    expect(accessWords('Ben', nobody)).toEqual({ whole: 'Nobody has shared this with Ben.', reasons: [], allowed: '' })
    expect(accessWords('Ben', { ...nobody, public: true }).reasons).toHaveLength(1)
  })

  it('a role and an action of a later version are no fault', () => {
    const words = accessWords('Ben', {
      ...nobody,
      role: 'auditor',
      sources: [{ source: 'direct', role: 'auditor', through: null }],
      allows: ['fly'],
    })
    expect(words.whole).toContain('auditor')
    expect(words.allowed).toBe('')
  })

  it('tells what is left after a removal', () => {
    const team = { source: 'team', role: 'editor', through: 'nurses' }
    expect(remaining({ ...nobody, sources: [team] })).toBe('nurses')
  })
})
