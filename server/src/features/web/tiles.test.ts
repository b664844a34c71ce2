import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { tilesOf, webSettings } from './tiles.js'

const page = { accept: 'text/html' }
const policyOf = (headers: Record<string, unknown>) => String(headers['content-security-policy'])

describe('GET /web/options', () => {
  const plain = testApp()
  const tiled = testApp({ TILES_URL: 'https://{s}.tiles.example.org/{z}/{x}/{y}.png', TILES_ATTRIBUTION: '© Example' })

  it('200 without tiles, and the policy names no other host', async () => {
    expect((await plain.page('GET', '/web/options')).json()).toEqual({ tiles: null })
    const { headers } = await plain.page('GET', '/signin', { headers: page })
    expect(policyOf(headers)).not.toMatch(/https?:/)
  })

  it('200 with the tiles of the settings, and the policy allows pictures from there, and nothing else', async () => {
    expect((await tiled.page('GET', '/web/options')).json()).toEqual({
      tiles: { url: 'https://{s}.tiles.example.org/{z}/{x}/{y}.png', attribution: '© Example' },
    })
    const { headers } = await tiled.page('GET', '/signin', { headers: page })
    expect(policyOf(headers)).toContain(
      "img-src 'self' blob: data: https://a.tiles.example.org https://b.tiles.example.org https://c.tiles.example.org; ",
    )
    expect(policyOf(headers).match(/https:/g)).toHaveLength(3)
  })
})

describe('TILES_URL', () => {
  const { parse } = webSettings.settings.tilesUrl

  it.each([
    ['https://tiles.example.org/{z}/{x}/{y}.png', ['https://tiles.example.org']],
    ['http://localhost:8080/t/{z}/{x}/{y}', ['http://localhost:8080']],
    ['/tiles/{z}/{x}/{y}.png', []],
  ])('%s is taken', (url, origins) => {
    expect(tilesOf({ tilesUrl: parse(url), tilesAttribution: undefined })).toEqual({ url, attribution: '', origins })
  })

  it.each([
    'tiles.example.org/{z}/{x}/{y}.png',
    'javascript:alert(1)//{z}{x}{y}',
    '//tiles.example.org/{z}/{x}/{y}',
    "https://x;script-src'unsafe-inline'/{z}/{x}/{y}",
    'https://tiles.example.org/{z}/{x}.png',
  ])('%s is refused when the server starts', (url) => {
    expect(() => parse(url)).toThrow(/is not right/)
  })
})
