// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { parseXForm } from '../src/parse/parse-xform.js'
import { fillNode, openForm, serialise } from './support/engine.js'
import { danglingReferences } from './support/static-check.js'

const folder = `${import.meta.dirname}/corpus/`
const files = readdirSync(folder).filter((name) => name.endsWith('.md'))

it('the corpus holds at least sixty forms', () => {
  expect(files.length).toBeGreaterThanOrEqual(60)
})

describe.each(files)('%s', (file) => {
  const { xform, model } = compile(new Uint8Array(readFileSync(folder + file)), { fileName: file })

  it('points to nothing that is not there', () => {
    expect(danglingReferences(xform)).toEqual([])
  })

  it('means the same when parsed back', () => {
    expect(parseXForm(xform)).toEqual(model)
  })

  it('loads in the engine, can be filled and serialised', async () => {
    const root = await openForm(xform)
    expect(fillNode(root)).toBeGreaterThan(0)
    const submission = await serialise(root)
    expect(submission).toContain(` id="${model.formId}"`)
    expect(new DOMParser().parseFromString(submission, 'text/xml').querySelector('parsererror')).toBeNull()
  })
})
