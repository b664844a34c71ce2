import { describe, expect, it } from 'vitest'
import { isLoopback, mayConnectTo } from './addresses.js'

describe('an address that may be called', () => {
  it.each([
    ['8.8.8.8', true, true],
    ['2606:4700::1111', true, true],
    // IPv4 in the clothes of IPv6 is judged as what it is.
    ['::ffff:8.8.8.8', true, true],
    ['::ffff:10.0.0.1', false, true],
    ['::ffff:127.0.0.1', false, true],
    ['::ffff:169.254.169.254', false, false],
    ['10.0.0.1', false, true],
    ['fd00::1', false, true],
    ['100.64.0.1', false, true],
    ['fe80::1%eth0', false, false],
    ['::7f00:1', false, false],
    ['127.1', false, false],
    ['example.org', false, false],
    ['', false, false],
  ])('%s: %s, and %s where private ones are allowed', (address, isPublic, isAllowed) => {
    expect([mayConnectTo(address, false), mayConnectTo(address, true)]).toEqual([isPublic, isAllowed])
  })

  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.0.0.1', false],
    ['localhost', false],
  ])('%s is this machine: %s', (address, isOwn) => {
    expect(isLoopback(address)).toBe(isOwn)
  })
})
