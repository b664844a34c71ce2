import { describe, expect, it } from 'vitest'
import { type Database, upgrade } from './database'

/** Says which stores were made. */
const recorder = () => {
  const made: string[] = []
  const createObjectStore = (name: string) => {
    made.push(name)
    return { createIndex: () => undefined }
  }
  return { made, db: { createObjectStore } as unknown as Database }
}
const change = {} as never

describe('upgrades of the database in the browser', () => {
  it('make every table in a browser that has none', () => {
    const { made, db } = recorder()
    upgrade(db, 0, change)
    expect(made).toEqual(['forms', 'files', 'filled', 'pictures', 'notes'])
  })

  it('do only what is new in a browser that was here before', () => {
    const done: number[] = []
    const steps = [1, 2, 3].map((step) => () => void done.push(step))
    upgrade(recorder().db, 1, change, steps)
    expect(done).toEqual([2, 3])
    upgrade(recorder().db, 3, change, steps)
    expect(done).toEqual([2, 3])
  })
})
