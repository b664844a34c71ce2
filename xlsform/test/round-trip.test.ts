import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { parseXForm } from '../src/parse/parse-xform.js'
import { randomForm } from './support/random-forms.js'
import { text } from './support/workbooks.js'

describe('compiling and parsing back', () => {
  it('give the same model, whatever the form', () => {
    let compiled = 0
    fc.assert(
      fc.property(randomForm, (csvText) => {
        const { xform, model } = compile(text(csvText), { allowUnlabelled: true, keepUnshownLabels: true })
        compiled += 1
        expect(parseXForm(xform)).toEqual(model)
      }),
      { numRuns: 200 },
    )
    expect(compiled).toBeGreaterThanOrEqual(200)
  })
})
