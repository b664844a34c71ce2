// What a linter of descriptions says: its recommended rules, and some that it leaves to choice.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { testApp } from '../support/app.js'

const app = testApp()

const chosen = {
  'no-invalid-schema-examples': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-unused-components': 'error',
  'operation-tag-defined': 'error',
  'tag-description': 'error',
} as const

it('a linter finds no error in the description: references, parameters, security, tags, examples that fit', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: chosen })
  const faultsIn = async (source: string) =>
    (await lintFromString({ source, absoluteRef: '/openapi.json', config })).filter(
      ({ severity }) => severity === 'error',
    )
  const source: string = (await app.call('GET', '/openapi.json')).body
  const errors = await faultsIn(source)
  expect(errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  // It has read all of that: what is broken there is found.
  const { info: _, ...withoutInfo } = JSON.parse(source)
  expect((await faultsIn(JSON.stringify(withoutInfo))).map(({ ruleId }) => ruleId)).toEqual(['struct'])
}, 120_000)
