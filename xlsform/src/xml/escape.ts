// Texts in XML. Characters that XML 1.0 cannot hold are dropped.

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** Everything below the blank but tab and line ends, halves of pairs, and the two that are never characters. */
const impossible = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** Without what XML cannot hold. */
export const storable = (text: string): string => text.replace(impossible, '')

/** Most texts are plain, and pass as they are. */
const plain = /^[\w .,:;/+()-]*$/

const escaped = (text: string, special: RegExp): string =>
  plain.test(text)
    ? text
    : text.replace(impossible, '').replace(special, (character) => replacements[character] as string)

/** A carriage return as it stands would be read back as a line feed. */
export const escapeText = (text: string): string => escaped(text, /[&<>\r]/g)

export const escapeAttribute = (text: string): string => escaped(text, /[&<>"\n\r\t]/g)

/** ` name="value"` */
export const attribute = (name: string, value: string): string => ` ${name}="${escapeAttribute(value)}"`
