// Settings as the text that Collect's scanner reads: JSON, zlib (RFC 1950), base64 of one line.
import { deflateSync, inflateSync } from 'node:zlib'
import type { CollectSettings } from './settings.js'

export const encodeSettings = (settings: CollectSettings): string =>
  deflateSync(Buffer.from(JSON.stringify(settings)), { level: 9 }).toString('base64')

/** Codes hold some hundred bytes; a text that unpacks to more is none of ours. */
const largestSettings = 64 * 1024

export const decodeSettings = (text: string): CollectSettings =>
  JSON.parse(
    inflateSync(Buffer.from(text, 'base64'), { maxOutputLength: largestSettings }).toString(),
  ) as CollectSettings
