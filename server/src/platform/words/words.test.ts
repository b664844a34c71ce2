import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isUrl, isWebAddress } from './index.js'

describe('isUrl', () => {
  it('says the same however often it is asked, whatever letters an address has', () => {
    const answers = Array.from({ length: 20_000 }, () => isWebAddress('https://b\u00fccher.example/'))
    expect(answers.every((answer) => answer)).toBe(true)
  })

  it('takes a base, and knows what is no address', () => {
    expect([isUrl('/a', 'http://x'), isUrl('/a'), isUrl('http://'), isUrl('mailto:a')]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  it('stands in the place of URL.canParse everywhere', () => {
    const source = new URL('../../', import.meta.url)
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    )
    const using = files.filter((name) => readFileSync(new URL(name, source), 'utf8').includes('URL.canParse('))
    expect([files.length > 300, using]).toEqual([true, []])
  })
})
