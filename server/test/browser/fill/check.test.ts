// Anybody drops a workbook at /f/check: mistakes at their cells, what it asks, and nothing leaves the browser.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { sheet } from '../../support/forms.js'
import { useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('checking a workbook (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('shows mistakes at their cell, then the form that works, and asks nothing of the server after a file is dropped', async () => {
    const page = await walk.visitor('/f/check')
    await page.waitForSelector('.check .drop')
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const drop = (name: string, content: string | Buffer) =>
      page.setInputFiles('.check .drop input', { name, mimeType: 'text/csv', buffer: Buffer.from(content) })
    await drop('broken.csv', sheet('type,name,label\nintger,age,Age'))
    await page.waitForSelector('.problem:has-text("Unknown question type")')
    expect(await page.textContent('.problem td.meant')).toContain('intger')
    await walk.check(page)
    await walk.pictures(page, 'check-broken')
    await page.waitForSelector('.check .drop')
    await page.waitForLoadState('networkidle')
    asked.length = 0
    await drop('visit.csv', sheet('type,name,label\ninteger,age,Age'))
    await page.waitForSelector('.check .notice.good')
    expect(await page.textContent('.check ol')).toContain('age')
    await drop('damaged.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 1, 2, 3]))
    await page.waitForSelector('.problem')
    expect(asked).toEqual([])
    await walk.check(page)
  })
})
