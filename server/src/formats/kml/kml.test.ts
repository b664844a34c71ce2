import { describe, expect, it } from 'vitest'
import { placemarkOf as placemarkIn } from './index.js'

const shape = { slotsOf: () => [] }
const placemarkOf = (record: Readonly<Record<string, unknown>>) => placemarkIn(record, shape, undefined)

describe('placemarkOf', () => {
  it('is empty without a place', async () => {
    expect(await placemarkOf({ _id: 1, _geolocation: [null, null] })).toBe('')
    expect(await placemarkOf({ _id: 1 })).toBe('')
  })

  it('shows answers as text, whatever they hold', async () => {
    const placemark = await placemarkOf({
      _id: 7,
      _geolocation: [1, 2],
      name: '<b>]]>"&',
      kids: [{ a: 'x' }],
      _tags: [],
    })
    expect(placemark).toBe(
      '<Placemark><name>7</name><description><![CDATA[<table border="1"><tr><td>name</td><td>&lt;b&gt;]]&gt;&quot;&amp;</td></tr><tr><td>kids</td><td>[{&quot;a&quot;:&quot;x&quot;}]</td></tr></table>]]></description><Point><coordinates>2,1,0</coordinates></Point></Placemark>',
    )
  })

  it('a long answer is escaped as a short one is, without cutting a character in two', async () => {
    const text = `x${'😀&"<'.repeat(20_000)}`
    const placemark = await placemarkOf({ _id: 7, _geolocation: [1, 2], name: text })
    expect(placemark).toContain(`<td>x${'😀&amp;&quot;&lt;'.repeat(20_000)}</td>`)
  })
})
