// What a form wants that cannot be had here, found before it is opened.

export interface Inspected {
  /** Its records are to be encrypted on the device. That is not possible here, and in the clear they are never sent. */
  readonly isEncrypted: boolean
  /** Labels or names of questions that cannot be answered here. */
  readonly unanswerable: readonly string[]
}

/** Questions that another program answers, or a device that browsers do not have. */
const impossible = /(^|\s)(ex:|printer\b|bearing\b)/

const isNamed = (name: string) => (element: Element) => element.localName === name

const labelOf = (control: Element): string => {
  const text = [...control.children].find(isNamed('label'))?.textContent?.trim() ?? ''
  const name = control.getAttribute('ref')?.split('/').at(-1) ?? ''
  return text === '' ? name : text
}

export const inspect = (xml: string): Inspected => {
  const all = [...new DOMParser().parseFromString(xml, 'text/xml').getElementsByTagName('*')]
  const submission = all.find(isNamed('submission'))
  const controls = all.filter((one) => impossible.test(one.getAttribute('appearance') ?? ''))
  const recorded = all.filter(isNamed('recordaudio')).map((one) => one.getAttribute('ref')?.split('/').at(-1) ?? '')
  return {
    isEncrypted: Boolean(submission?.getAttribute('base64RsaPublicKey')),
    unanswerable: [...controls.map(labelOf), ...recorded].filter((name) => name !== ''),
  }
}
