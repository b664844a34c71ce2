const textEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
const attributeEntities: Record<string, string> = {
  ...textEntities,
  '"': '&quot;',
  // A parser would turn a bare line break or tab in an attribute into a space.
  '\n': '&#10;',
  '\t': '&#9;',
}

export const escapeText = (text: string): string =>
  /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (character) => textEntities[character] ?? character) : text

const escapeAttribute = (text: string): string =>
  /[&<>"\r\n\t]/.test(text)
    ? text.replace(/[&<>"\r\n\t]/g, (character) => attributeEntities[character] ?? character)
    : text

/** ` name="value"` */
export const attribute = (name: string, value: string): string => ` ${name}="${escapeAttribute(value)}"`
