import { describe, expect, it } from 'vitest'
import { redirectTargets } from '../words/index.js'
import { redirectCheck, withParameters } from './redirects.js'

describe('where an address of a caller may lead', () => {
  const own = redirectTargets({ allowedHosts: [], ownAddress: 'https://data.example.org' })
  const listed = redirectTargets({
    allowedHosts: ['app.example.org', 'bücher.example', '10.0.0.1:81', 'secure.example.org:443'],
    ownAddress: 'https://data.example.org',
  })

  it.each([
    'https://data.example.org/reset',
    'https://DATA.example.org:8443/',
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://127.9.9.9/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]:3000/',
    'http://[0:0:0:0:0:0:0:1]/',
  ])('without a list to %s: it is this server or the reader’s own machine', (address) => {
    expect(own(address)).toBe(true)
  })

  it.each([
    'https://evil.example/',
    'https://data.example.org.evil.example/',
    'https://xdata.example.org/',
    'https://sub.data.example.org/',
    'https://data.example.org@evil.example/',
    'https://evil.example@data.example.org/',
    'https://:secret@data.example.org/',
    'https://evil.example\\@data.example.org/',
    'https://evil.example#@data.example.org/',
    'https://evil.example\t.data.example.org/',
    'https://data.example.org\u3002evil.example/',
    'https://dat\u0430.example.org/',
    'https://localhost.evil.example/',
    'https://evil.localhost/',
    'https://127.0.0.1.evil.example/',
    'http://127.0.0.1.nip.example/',
    'http://128.0.0.1/',
    'http://0.0.0.0/',
    'http://3232235777/',
    'http://[::]/',
    'http://[::ffff:10.0.0.1]/',
    '//evil.example/',
    '/\\evil.example/',
    'http:/evil.example/',
    'https:///evil.example/',
    'http:\\\\localhost\\',
    'javascript:alert(1)//localhost',
    'ftp://localhost/',
    ' https://data.example.org/',
    '',
    'http://',
    'https://data.example.org\0.evil.example/',
  ])('never to %j', (address) => {
    expect([own(address), listed(address)]).toEqual([false, false])
  })

  it('with a list to its hosts alone, as the parser writes them; with a port to that port', () => {
    for (const address of [
      'https://app.example.org/',
      'http://APP.example.org:8080/x',
      'https://b\u00fccher.example/',
      'https://xn--bcher-kva.example/',
      'http://10.0.0.1:81/',
      'http://167772161:81/',
      'https://secure.example.org/',
    ]) {
      expect([address, listed(address)]).toEqual([address, true])
    }
    for (const address of [
      'http://10.0.0.1/',
      'http://secure.example.org/',
      'https://data.example.org/',
      'http://localhost/',
    ]) {
      expect([address, listed(address)]).toEqual([address, false])
    }
  })
})

describe('redirectCheck', () => {
  const check = redirectCheck(redirectTargets({ allowedHosts: ['app.example.org'], ownAddress: 'http://x' }), 'No.')
  it.each(['https://app.example.org/x', 'http://app.example.org:8080'])('allows %s', (address) =>
    expect(check(address)).toBeUndefined(),
  )
  it('names the host that it refuses, and the setting', () => {
    expect(check('https://evil.example/x')).toBe('No. evil.example is not in ALLOWED_REDIRECT_HOSTS of this server.')
    expect(check('https://APP.example.org%00.evil.example')).toBe('Enter a valid URL.')
  })
  it.each(['javascript:alert(1)', 'data:text/html,x', '//app.example.org', 'app.example.org', 'https://', 'http:/x'])(
    'does not take %s for a web address',
    (address) => expect(check(address)).toBe('Enter a valid URL.'),
  )
})

describe('withParameters', () => {
  it('keeps port, query and fragment', () => {
    expect(withParameters('https://x.org:8443/p?a=1#f', { b: 'é&' })).toBe('https://x.org:8443/p?a=1&b=%C3%A9%26#f')
  })
})
