// Every claim of SECURITY.md has a test that shows it. A claim is an entry of the list; the tests are the entries below it.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faultOfTestName } from '../support/named-tests.js'

const page = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8')
const [, list = ''] = page.split('## What is protected, and how')
const claims = (list.split('\n## ')[0] ?? '')
  .split(/^- /m)
  .slice(1)
  .map((text) => ({
    words: text.split('\n')[0] ?? '',
    tests: [...text.matchAll(/^ {2}- `(.*)`$/gm)].map(([, name = '']) => name),
  }))

describe('SECURITY.md', () => {
  it('names at least one test for every claim', () => {
    expect(claims.length).toBeGreaterThan(25)
    expect(claims.filter(({ tests }) => tests.length === 0)).toEqual([])
  })

  it('names tests that exist', () => {
    const faults = claims.flatMap(({ words, tests }) =>
      tests.map(faultOfTestName).flatMap((fault) => (fault === undefined ? [] : [`${words} → ${fault}`])),
    )
    expect(faults).toEqual([])
  })
})
