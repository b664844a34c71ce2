// How a connection is made: to an address that was looked up for it, and checked.
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { limitAnswers } from './answer-limit.js'

/** What the socket asks instead of the system: only addresses that may be called come back. */
export const checkedLookup =
  (resolve: (host: string) => Promise<readonly LookupAddress[]>): LookupFunction =>
  (host, options, done) => {
    const family = options.family === 6 || options.family === 'IPv6' ? 6 : options.family ? 4 : 0
    resolve(host).then(
      (all) => {
        const addresses = all.filter((one) => family === 0 || one.family === family)
        const [first] = addresses
        if (first === undefined) {
          done(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '', 0)
        } else if (options.all) done(null, [...addresses])
        else done(null, first.address, first.family)
      },
      (error) => done(error, '', 0),
    )
  }

/** An address in figures is never looked up, so it is checked before; and the connected one is checked in any case. */
export const checkedConnect =
  (
    connect: buildConnector.connector,
    mayConnect: (address: string) => boolean,
    refused: (host: string) => Error,
  ): buildConnector.connector =>
  (options, done) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !mayConnect(host)) return done(refused(host), null)
    connect(options, (error: Error | null, socket: Socket | null) => {
      if (error !== null || socket === null) return done(error ?? new Error('There is no socket'), null)
      if (!mayConnect(socket.remoteAddress ?? '')) {
        socket.destroy()
        return done(refused(host), null)
      }
      limitAnswers(socket)
      done(null, socket)
    })
  }
