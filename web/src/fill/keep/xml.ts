// XML as the browser reads it. A parser does not throw: it makes a page about what is wrong, or puts that page into the document,
// and whoever writes the document out again has lost what was in it.

/** Scanners and clipboards bring signs that XML 1.0 cannot hold, by no means of writing. Collect leaves them out, too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

export const withoutForbidden = (text: string): string => text.replace(forbidden, '')

/** Of Chromium and Safari, and of Firefox. A question may have that name, but not in these namespaces. */
const faultSpaces = ['http://www.w3.org/1999/xhtml', 'http://www.mozilla.org/newlayout/xml/parsererror.xml']

/** Throws where it is no XML. */
export const parseXml = (xml: string): Document => {
  const document = new DOMParser().parseFromString(withoutForbidden(xml), 'text/xml')
  if (faultSpaces.some((space) => document.getElementsByTagNameNS(space, 'parsererror').length > 0)) {
    throw new Error('The answers are no XML.')
  }
  return document
}
