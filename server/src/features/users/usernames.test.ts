import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeUsername, usernameFault } from './usernames.js'

describe('usernameFault', () => {
  it.each(['demo', 'columbia.txt', 'user+tag@example.com', 'user-name_123.test', 'müller', '+254700000000', 'a.jsons'])(
    'accepts %s',
    (name) => expect(usernameFault(name)).toBeUndefined(),
  )

  it.each([
    ['user/name', 'username may only contain alphanumeric characters, _, @, +, . and -'],
    ['two words', 'username may only contain alphanumeric characters, _, @, +, . and -'],
    ['smile😀', 'username may only contain alphanumeric characters, _, @, +, . and -'],
    ['12345', 'Username cannot be purely numeric.'],
    ['Username.JSON', 'username may not end in .json'],
    ['data.xlsx', 'username may not end in .xlsx'],
    ['...', 'username may not consist of dots alone'],
    ['key', 'key is a reserved name, please choose another'],
    ['Test', 'test is a reserved name, please choose another'],
    ['Admin', 'admin is a reserved name, please choose another'],
  ])('refuses %s', (name, message) => expect(usernameFault(name)).toBe(message))

  it('whatever it accepts stays itself when normalized again, and needs no escape beyond a path segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), (text) => {
        if (usernameFault(text) !== undefined) return
        const name = normalizeUsername(text)
        expect(normalizeUsername(name)).toBe(name)
        expect(name).not.toMatch(/[/?#\s\\%]/)
      }),
    )
  })
})
