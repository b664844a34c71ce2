import { describe, expect, it } from 'vitest'
import { ApiError, asApiError, errorOf, offlineError } from './errors'

describe('what a refusal says', () => {
  it('400 names the faulty fields, and the whole apart from them', () => {
    const error = errorOf(400, { username: ['Taken.', 'Too long.'], non_field_errors: ['Not today.'] })
    expect(error).toMatchObject({ kind: 'invalid', message: 'Not today.', fields: { username: 'Taken. Too long.' } })
  })

  it('404 and 403 say what the server says', () => {
    expect(errorOf(404, { detail: 'Not found.' })).toMatchObject({ kind: 'missing', message: 'Not found.', fields: {} })
    expect(errorOf(403, { detail: 'Only owners.' })).toMatchObject({ kind: 'forbidden', message: 'Only owners.' })
  })

  it('429 and 503 say when to come back', () => {
    const headers = new Headers({ 'retry-after': '30' })
    expect(errorOf(429, { detail: 'Slowly.' }, headers)).toMatchObject({
      kind: 'busy',
      retrySeconds: 30,
      isPassing: true,
    })
    expect(errorOf(503, '<html>', headers).message).toMatch(/busy/)
  })

  it('a line that breaks is told of honestly: what changes something may have been done', () => {
    expect(offlineError().message).toMatch(/Nothing is lost/)
    expect(offlineError(true)).toMatchObject({ kind: 'offline', isPassing: true })
    expect(offlineError(true).message).toMatch(/not known whether/)
    expect(offlineError(true).message).not.toMatch(/Nothing is lost/)
  })

  it('500 shows nothing of the inside', () => {
    expect(errorOf(500, { detail: 'Internal', request_id: 'x' }).message).not.toContain('Internal')
    expect(asApiError(new TypeError('x is undefined'))).toMatchObject({ kind: 'broken' })
    expect(asApiError(new TypeError('x is undefined')).message).not.toContain('undefined')
  })

  it('the kind of a refused form is no field: its words are what is shown', () => {
    const body = { type: 'alert-error', text: 'The id must match.' }
    expect(errorOf(400, body)).toMatchObject({ message: 'The id must match.', fields: {} })
    expect(errorOf(400, { type: ['Unknown.'] })).toMatchObject({ fields: { type: 'Unknown.' } })
  })

  it('the body stays at hand for refusals that say more', () => {
    const body = { text: 'Row 12', problems: [{ row: 12 }] }
    expect(errorOf(400, body)).toMatchObject({ message: 'Row 12', body })
    expect(new ApiError('offline', 'x').isPassing).toBe(true)
  })
})
