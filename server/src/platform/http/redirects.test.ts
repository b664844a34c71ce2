import { describe, expect, it } from 'vitest'
import { mayLeadTo, redirectCheck, withParameters } from './redirects.js'

describe('redirectCheck', () => {
  const check = redirectCheck(['app.example.org'], 'Not there.')
  it.each(['https://app.example.org/x', 'http://app.example.org:8080'])('allows %s', (address) =>
    expect(check(address)).toBeUndefined(),
  )
  it.each([
    'https://evil.example',
    'https://app.example.org.evil.example',
    'https://app.example.org@evil.example',
    'https://APP.example.org%00.evil.example',
  ])('refuses %s', (address) => expect(check(address)).toBeDefined())
  it.each(['javascript:alert(1)', 'data:text/html,x', '//app.example.org', 'app.example.org', 'https://', 'http:/x'])(
    'does not take %s for a web address',
    (address) => expect(check(address)).toBe('Enter a valid URL.'),
  )
  it('any host is allowed when none is listed', () => expect(mayLeadTo([], 'https://x.org')).toBe(true))
})

describe('withParameters', () => {
  it('keeps port, query and fragment', () => {
    expect(withParameters('https://x.org:8443/p?a=1#f', { b: 'é&' })).toBe('https://x.org:8443/p?a=1&b=%C3%A9%26#f')
  })
})
