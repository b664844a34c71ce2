// @vitest-environment jsdom
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { fillNode, openForm, serialise } from './support/engine.js'
import { randomForm } from './support/random-forms.js'
import { danglingReferences } from './support/static-check.js'
import { text } from './support/workbooks.js'

describe('forms made up at random', () => {
  it('point to nothing that is not there, load in the engine, can be filled and serialised', async () => {
    await fc.assert(
      fc.asyncProperty(randomForm, async (csv) => {
        const { xform } = compile(text(csv), { allowUnlabelled: true })
        expect(danglingReferences(xform)).toEqual([])
        const root = await openForm(xform)
        expect(fillNode(root)).toBeGreaterThan(0)
        expect(await serialise(root)).toContain(' id="f"')
      }),
      { numRuns: 40 },
    )
  })
})
