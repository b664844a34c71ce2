// What linters of descriptions say, by their recommended rules.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, it } from 'vitest'
import { testApp } from '../support/app.js'

const app = testApp()

const description = async (): Promise<string> => (await app.call('GET', '/openapi.json')).body

it('redocly finds no error in the description, and no example that breaks its schema', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-invalid-schema-examples': 'error' } })
  const source = await description()
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  const errors = problems.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  // It has read something.
  expect(await lintFromString({ source: '{"openapi":"3.1.0"}', absoluteRef: '/x.json', config })).not.toEqual([])
}, 120_000)

it('spectral finds no error in the description', async () => {
  const linter = new spectral.Spectral()
  // Its types and those of its rules disagree.
  linter.setRuleset({ extends: [[rulesets.oas as never, 'recommended']], rules: {} })
  const problems = await linter.run(JSON.parse(await description()))
  const errors = problems.filter(({ severity }) => severity === 0)
  expect(errors.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([])
  expect((await linter.run({ openapi: '3.1.0' })).some(({ severity }) => severity === 0)).toBe(true)
}, 120_000)
