// How the entries of repeats become rows, everywhere.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const source = new URL('../../src/', import.meta.url)

describe('statements over the entries of repeats', () => {
  it('never list with jsonb_path_query, which takes time by the square of their number', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
    expect(files.length).toBeGreaterThan(300)
    const found = files.filter((path) => readFileSync(new URL(path, source), 'utf8').includes('jsonb_path_query('))
    expect(found).toEqual([])
  })
})
