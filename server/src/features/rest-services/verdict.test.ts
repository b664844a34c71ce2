import { expect, it } from 'vitest'
import { OutboundFailed } from '../../platform/outbound/index.js'
import { judgeAnswer, judgeFailure } from './verdict.js'

const now = new Date('2026-01-01T00:00:00Z')
const judged = (status: number) => {
  const { kind, error, isDown } = judgeAnswer({ status, headers: {}, body: Buffer.from('') } as never, now)
  return [kind, isDown, error?.includes('redirect') ?? false]
}

it.each([
  [200, 'delivered', false, false],
  [299, 'delivered', false, false],
  [300, 'refused', true, true],
  [399, 'refused', true, true],
  [400, 'refused', false, false],
  [401, 'refused', true, false],
  [408, 'again', true, false],
  [429, 'again', true, false],
  [499, 'refused', true, false],
  [500, 'again', true, false],
])('an answer of %i is %s', (status, kind, isDown, isRedirect) => {
  expect(judged(status)).toEqual([kind, isDown, isRedirect])
})

it('an answer that broke off counts by its status: what the receiver has said that it has, it has', () => {
  const broken = (status?: number) => judgeFailure(new OutboundFailed('It broke off.', { status })).kind
  expect([broken(204), broken(300), broken(503), broken()]).toEqual(['delivered', 'again', 'again', 'again'])
})
