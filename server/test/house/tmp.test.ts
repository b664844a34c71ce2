import { readFileSync } from 'node:fs'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { it } from 'vitest'
import { automatonOf } from '../support/patterns/automaton.js'
import { growthOf } from '../support/patterns/proof.js'

it('x', async () => {
  const src = readFileSync('/work/wt/text/xlsform/src/survey/defaults.ts', 'utf8')
  const token = new Function('return ' + src.slice(src.indexOf('new RegExp('), src.indexOf("'gu',\n)") + 7))() as RegExp
  const names = await import('/work/wt/text/xlsform/src/xml/names.ts' as string)
  console.log(Object.keys(names), readFileSync('/work/wt/text/xlsform/src/xml/names.ts', 'utf8').slice(0, 700))
  for (const p of [
    fullFormats.email as RegExp,
    /^(\/api\/v1\/.+)\.(json|csv|xml|xlsx)$/,
    /^_(.+)_(latitude|longitude|altitude|precision)$/,
    token,
  ]) {
    const t = Date.now()
    const a = automatonOf(p.source, p.flags)
    console.log(a.follow.length, a.letters.length)
    console.log(p.source.slice(0, 50), Date.now() - t)
    console.log(growthOf(p.source, p.flags), Date.now() - t)
  }
})
