// Whatever mix of lost lines, lost answers, killed browsers, reloads and tabs: each filled form arrives exactly once, with exactly its
// pictures. The mixes are generated from a seed, so that a failing one can be run again.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useFillPlace } from '../../support/fill-place.js'
import {
  arrived,
  byName,
  expected,
  type FilledForm,
  fillAndLeave,
  fillDraft,
  newFilled,
  sendAll,
  statesOf,
} from '../../support/filling.js'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const [mixes, steps] = [2, 12]

/** Numbers from 0 to 1 that follow from the seed. */
const numbersFrom = (start: number) => {
  let value = start
  return () => {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648
    return value / 2_147_483_648
  }
}

describe.skipIf(hasNoBrowser)('filled forms in any mix of faults (needs Chromium on the PATH)', () => {
  const place = useFillPlace()
  const { line } = place

  it.each(Array.from({ length: mixes }, (_, at) => seed + at))(
    'arrive exactly once, with their pictures (SEED=%i)',
    async (own) => {
      const next = numbersFrom(own)
      const filled: FilledForm[] = []
      let page = await place.device.page('/f/outbox')
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
      await fillDraft(page, place.form, newFilled())
      const others: Page[] = []

      const fill = async () => {
        const one = newFilled(Math.floor(next() * 3))
        filled.push(one)
        await fillAndLeave(page, place.form, one)
      }
      const reopen = async (end: () => Promise<void>) => {
        await end()
        others.length = 0
        await place.device.open()
        // Cookies of a browser that was killed may be gone.
        await place.device.signIn(place.ana).catch(() => undefined)
        page = await place.device.page('/f/outbox')
      }
      const doings: readonly (() => unknown)[] = [
        fill,
        fill,
        fill,
        () => line.cut(),
        () => line.mend(),
        () => line.mend(),
        () => line.loseAnswer(() => line.cut()),
        () => page.reload(),
        () => reopen(() => place.device.kill()),
        () => reopen(() => place.device.close()),
        async () => others.push(await place.device.page('/f/outbox')),
        () => Promise.all([page, ...others].map((tab) => sendAll(tab, 'ana'))),
      ]
      for (let step = 0; step < steps; step++) await doings[Math.floor(next() * doings.length)]?.()
      await fill()

      line.mend()
      line.loseAnswer()
      await place.device.signIn(place.ana)
      await page.reload()
      await expect
        .poll(async () => {
          await sendAll(page, 'ana')
          return statesOf(page, 'ana')
        })
        .toEqual(['draft', ...filled.map(() => 'sent')])
      expect(byName(await arrived(place.app, place.ana, place.form.formId))).toEqual(
        byName(filled.map((one) => expected(one, 'ana'))),
      )
    },
  )
})
