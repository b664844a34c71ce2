import { limits } from '../limits.js'
import { fail } from '../problems.js'

const declaration = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/

/** The text of XML bytes: the mark at their start decides, then what they declare, then UTF-8. */
export const decodeXml = (bytes: Uint8Array): string => {
  if (bytes.byteLength > limits.xmlBytes) fail('file-too-large', 'The XForm is larger than this server reads.')
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return fail('invalid-xml', `The XForm cannot be read as ${encoding} text. Save it as UTF-8.`)
  }
}

const encodingOf = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const declared = declaration.exec(start)?.[1] ?? 'utf-8'
  // Bytes in which a declaration can be read are not UTF-16, whatever it says.
  return /^utf-?16/i.test(declared) ? 'utf-8' : declared
}
