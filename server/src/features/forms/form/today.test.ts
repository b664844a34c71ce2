import { expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, put } from '../../../../test/support/data.js'

const app = testApp()
const dayMs = 86_400_000

it('submission_count_for_today is of the day of UTC, from its first moment to its last', async () => {
  // At noon, or midnight might come in between.
  app.wait((dayMs * 1.5 - (Date.now() % dayMs)) / 1000)
  const now = app.deps.clock.now().getTime()
  const today = now - (now % dayMs)
  const { ana, form } = await newForm(app)
  const counted = [today, now, today + dayMs - 1]
  const others = [today - 1, today + dayMs]
  const ids = await put(app, form, ...[...counted, ...others].map((at) => ({ at: new Date(at).toISOString() })))
  const count = async () => (await app.as(ana)('GET', `/forms/${form.id}`)).json().submission_count_for_today
  expect(await count()).toBe(3)
  await app.as(ana)('DELETE', `/data/${form.id}/${ids[0]}`)
  expect(await count()).toBe(2)
})
