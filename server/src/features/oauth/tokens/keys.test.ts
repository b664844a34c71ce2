// The key that signs, and how often it is asked for.
import { expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { watchStatements } from '../../../../test/support/statements.js'
import { insertKey, listKeys } from './keys.queries.js'

const app = testApp()
const published = () => app.page('GET', '/o/.well-known/jwks.json')

it('keys are read once by all who ask at once, and again after a minute', async () => {
  let read = 0
  const stop = watchStatements(app, (text) => {
    if (text.includes('from oauth_keys')) read += 1
    return () => undefined
  })
  const timesOf = async (asking: number) => {
    read = 0
    await Promise.all(Array.from({ length: asking }, () => published()))
    return read
  }
  await published()
  expect(await timesOf(1)).toBe(0)
  app.wait(61)
  expect([await timesOf(3), await timesOf(1)]).toEqual([1, 0])
  stop()
})

it('a key that cannot be stored is a fault', async () => {
  await published()
  const { db } = app.deps
  const [key] = await listKeys(db)
  if (key === undefined) throw new Error('There is no key')
  await expect(insertKey(db, key, new Date(Date.now() + 86_400_000))).rejects.toThrow(/oauth_keys/)
})
