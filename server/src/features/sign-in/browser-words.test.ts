import { describe, expect, it } from 'vitest'
import { browserInWords } from './browser-words.js'

describe('browserInWords', () => {
  it.each([
    ['Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0', 'Firefox on Android'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      'Chrome on Linux',
    ],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18.0 Safari/605', 'Safari on macOS'],
    ['Mozilla/5.0 (X11; CrOS x86_64 1) AppleWebKit/537 Chrome/140.0 Safari/537', 'Chrome on ChromeOS'],
    ['something on Windows', 'Windows'],
    ['<script>alert(1)</script>', ''],
    [`${'x'.repeat(600)} Firefox/1`, ''],
    ['', ''],
    [undefined, ''],
  ])('%j is %j', (userAgent, words) => {
    expect(browserInWords(userAgent)).toBe(words)
  })
})
