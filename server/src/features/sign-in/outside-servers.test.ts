import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../platform/config/index.js'
import { signInSettings } from './sign-in.settings.js'

describe('OPENID_CONNECT_AUTH_SERVERS', () => {
  const faultOf = (value: string): string => {
    try {
      loadConfig([signInSettings], { OPENID_CONNECT_AUTH_SERVERS: value })
      return ''
    } catch (error) {
      return String((error as Error).message)
    }
  }
  const server = { issuer: 'https://id.example.org', client_id: 'a', client_secret: 'b' }

  it.each([
    ['no JSON', '{', 'OPENID_CONNECT_AUTH_SERVERS'],
    ['a list', '[]', 'it is no JSON object'],
    ['a name with a slash', JSON.stringify({ 'a/b': server }), 'the name a/b'],
    ['a provider without a secret', JSON.stringify({ a: { ...server, client_secret: '' } }), 'a has no client_secret'],
    ['an issuer that is no address', JSON.stringify({ a: { ...server, issuer: 'x' } }), 'is not an http(s) address'],
    ['an issuer over http elsewhere', JSON.stringify({ a: { ...server, issuer: 'http://x.org' } }), 'is not https'],
  ])('the server does not start with %s', (_name, value, words) => {
    expect(faultOf(value)).toContain(words)
  })

  it('starts with a complete one', () => {
    expect(faultOf(JSON.stringify({ a: server, b: { ...server, issuer: 'http://127.0.0.1:9000', title: 'B' } }))).toBe(
      '',
    )
  })
})
