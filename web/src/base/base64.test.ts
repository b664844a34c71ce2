import { expect, it } from 'vitest'
import { fromBase64 } from './base64'

it.each([
  ['YW5h', 'ana'],
  ['2K_Ymg', 'دؚ'],
  ['w6k=', 'é'],
  ['not base64!', ''],
  ['/w==', ''],
  ['', ''],
])('%s is %s', (written, text) => {
  expect(fromBase64(written)).toBe(text)
})
