import { chromium } from 'playwright-core'

const [user, size, look, lang, ...paths] = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
const [width, height] = size.split('x').map(Number)
const context = await browser.newContext({
  baseURL: 'http://127.0.0.1:18732',
  viewport: { width, height },
  colorScheme: look,
  reducedMotion: 'reduce',
})
if (user !== '-') {
  const a = await context.request.post('/accounts/session', {
    data: { username: user, password: 'lake basin', stay: false },
  })
  if (!a.ok()) console.log(a.status(), await a.text())
}
const page = await context.newPage()
page.on('console', (m) => m.type() === 'error' && console.log('console', m.text().slice(0, 300)))
page.on('pageerror', (e) => console.log('error', e.message))
page.on('requestfailed', (r) => console.log('failed', r.url()))
page.on('response', (r) => r.status() >= 400 && console.log(r.status(), r.url()))
await page.goto('/')
if (lang !== 'en') await page.evaluate((l) => localStorage.setItem('sheaf-language', l), lang)
let n = 0
for (const path of paths) {
  await page.goto(path)
  await page.waitForSelector('#page-title', { timeout: 60000 })
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1200)
  await page.screenshot({ path: `/tmp/charts/shot-${n++}.png`, fullPage: height < 800 ? true : false })
}
await browser.close()
