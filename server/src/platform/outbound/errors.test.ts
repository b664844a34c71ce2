import { describe, expect, it } from 'vitest'
import { AnswerCut, failureOf, OutboundFailed, OutboundRefused, statusOf } from './errors.js'

const withCode = (code: string, cause?: unknown) => Object.assign(new Error('below', { cause }), { code })

describe('what went wrong below HTTP', () => {
  it.each([
    ['a code that is known', withCode('ECONNREFUSED'), 'The connection was refused.'],
    ['one behind others', withCode('EODD', withCode('ENOTFOUND')), 'The host name is unknown.'],
    ['one of several addresses', new AggregateError([withCode('ETIMEDOUT')]), 'The connection took too long.'],
    ['a code that is not known', withCode('EODD'), 'The call failed (EODD).'],
    ['no code at all', new Error('odd'), 'The call failed.'],
    ['no error at all', 'odd', 'The call failed.'],
  ])('is told in words: %s', (_what, error, words) => {
    const failure = failureOf(error)
    expect([failure.message, failure instanceof OutboundFailed]).toEqual([words, true])
  })

  it('a refusal stays one, wherever it stands', () => {
    const refusal = new OutboundRefused('No.')
    expect(failureOf(withCode('ECONNRESET', refusal))).toBe(refusal)
  })

  it('has the status of an answer that was cut, and of nothing else', () => {
    expect(statusOf(new AnswerCut(502, new Error('cut')))).toBe(502)
    expect(statusOf(Object.assign(new Error('odd'), { status: 502 }))).toBeUndefined()
    expect(failureOf(new AnswerCut(502, new Error('cut')))).toMatchObject({ status: 502 })
  })
})
