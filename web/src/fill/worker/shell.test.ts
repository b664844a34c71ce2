import { describe, expect, it } from 'vitest'
import { cacheName, cachesToForget, filesToKeep, handlingOf, isOldCache } from './shell'

const build = {
  version: 'b',
  core: ['/f/assets/main-AAAAAAAA.js'],
  all: ['/f/assets/main-AAAAAAAA.js', '/f/assets/ar-BBBBBBBB.js', '/f/assets/fr-CC-CC_CC.js'],
}
const origin = 'https://sheaf.example'
const handled = (path: string, { method = 'GET', mode = 'navigate' as RequestMode } = {}) =>
  handlingOf({ method, mode, url: new URL(path, origin).href }, origin)

describe('what the worker keeps', () => {
  it('is the core, and what was used of the version before, in its new state', () => {
    expect(filesToKeep(build, [])).toEqual(build.core)
    expect(filesToKeep(build, ['/f/assets/ar-XXXXXXXX.js', '/f/outbox'])).toEqual([
      ...build.core,
      '/f/assets/ar-BBBBBBBB.js',
    ])
  })

  it('and the version before it, for pages that are still open with it', () => {
    expect(cachesToForget(['sheaf-shell-x', 'sheaf-shell-y', 'other', cacheName(build)], build)).toEqual([
      'sheaf-shell-x',
    ])
    expect(cachesToForget([cacheName(build)], build)).toEqual([])
  })

  it('old caches are its own of other versions', () => {
    expect(['sheaf-shell-a', cacheName(build), 'other'].map((name) => isOldCache(name, build))).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('what the worker answers', () => {
  it('is pages and files below /f/', () => {
    expect([handled('/f/ana/12?draft=1'), handled('/f/outbox'), handled('/f/assets/x.js', { mode: 'cors' })]).toEqual([
      'page',
      'page',
      'file',
    ])
  })

  it('is nothing else: no write, no API, no other page, no other host', () => {
    const paths = [
      '/api/v1/data/1',
      '/accounts/session',
      '/ana/submission',
      '/',
      '/fx',
      '/key/t/forms/1/form.xml',
      'https://other.example/f/x',
    ]
    expect(new Set(paths.map((path) => handled(path)))).toEqual(new Set(['none']))
    expect([handled('/f/outbox', { method: 'POST' }), handled('/f/sw.js', { mode: 'same-origin' })]).toEqual([
      'none',
      'none',
    ])
  })
})
