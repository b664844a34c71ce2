import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sendersIn } from '@/api/senders'
import { reachOf } from '@/parts/phones/reach'
import { addressesOf } from './addresses'
import { packed, pathOf, phoneSettings } from './phone-settings'

describe('the code for phones', () => {
  it('is JSON, compressed with zlib, as base64, and holds no password', async () => {
    const settings = phoneSettings({ serverUrl: 'https://data.example.org/me/forms/1', username: 'ana', name: 'مسح' })
    const text = inflateSync(Buffer.from(await packed(settings), 'base64')).toString()
    expect(JSON.parse(text)).toEqual(settings)
    expect(settings.general).toMatchObject({ server_url: 'https://data.example.org/me/forms/1', username: 'ana' })
    expect(text).not.toContain('password')
  })

  it('names nobody where nobody signs in', () => {
    expect(phoneSettings({ serverUrl: 'https://x.org/forms/1', name: 'x' }).general).not.toHaveProperty('username')
  })

  it('is drawn field by field', () => {
    expect(
      pathOf([
        [true, false],
        [false, true],
      ]),
    ).toBe('M0 0h1v1h-1zM1 1h1v1h-1z')
  })
})

describe('addresses', () => {
  it('lead to the form, its project and the API', () => {
    expect(addressesOf('https://x.org', 3, 7)).toEqual({
      signedIn: 'https://x.org/me/forms/3',
      open: 'https://x.org/forms/3',
      project: 'https://x.org/me/projects/7',
      script: 'https://x.org/api/v1/submissions',
    })
  })

  it.each([
    ['http://127.0.0.1:8080', 'here'],
    ['http://localhost', 'here'],
    ['https://[::1]:1', 'here'],
    ['http://10.0.0.2', 'plain'],
    ['https://localhost.example.org', 'safe'],
  ])('%s is reached %s', (origin, reach) => expect(reachOf(origin)).toBe(reach))
})

describe('who sent last', () => {
  it('has each person once with their last record, the newest first', () => {
    const records = [
      { _submitted_by: 'ben', _submission_time: '2026-01-03T00:00:00Z' },
      { _submitted_by: null, _submission_time: '2026-01-02T00:00:00Z' },
      { _submitted_by: 'ana', _submission_time: '2026-01-01T00:00:00Z' },
      { _submitted_by: 'ben', _submission_time: '2026-01-01T00:00:00Z' },
    ]
    expect(sendersIn(records)).toEqual([
      { username: 'ben', last: '2026-01-03T00:00:00Z', records: 2 },
      { username: '', last: '2026-01-02T00:00:00Z', records: 1 },
      { username: 'ana', last: '2026-01-01T00:00:00Z', records: 1 },
    ])
  })
})
