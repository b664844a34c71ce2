// The secret in a key's address: letters and digits alone, because phones decode addresses before they use them.
import { randomInt } from 'node:crypto'
import type { Secrets } from '../../platform/secrets/index.js'

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 32

export const newToken = (): string => Array.from({ length }, () => signs[randomInt(signs.length)]).join('')

/** 32 signs of 62: 190 bits. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text)

export const tokenHash = (secrets: Secrets, token: string): string => secrets.hash('device key', token)

const contextOf = (keyId: number): string => `key:${keyId}`

export const sealToken = (secrets: Secrets, keyId: number, token: string): Buffer =>
  secrets.seal('device key', contextOf(keyId), token)

/** Undefined: it was sealed by another secret, which is as good as missing. */
export const openToken = (secrets: Secrets, keyId: number, sealed: Buffer): string | undefined =>
  secrets.open('device key', contextOf(keyId), sealed)
