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

const nameOf = (control: Element): string => control.getAttribute('ref')?.split('/').at(-1) ?? ''

/** Of a form with translations, in its default language, which is the first where none is named. */
const translated = (all: readonly Element[], reference: string): string => {
  const id = /^jr:itext\('([^']*)'\)$/.exec(reference)?.[1]
  if (id === undefined) return ''
  const languages = all.filter(isNamed('translation'))
  const language = languages.find((one) => one.hasAttribute('default')) ?? languages[0]
  const text = [...(language?.children ?? [])].find((one) => one.getAttribute('id') === id)
  return [...(text?.children ?? [])].find((one) => !one.hasAttribute('form'))?.textContent?.trim() ?? ''
}

const labelOf = (all: readonly Element[]) => (control: Element) => {
  const label = [...control.children].find(isNamed('label'))
  return label?.textContent?.trim() || translated(all, label?.getAttribute('ref') ?? '') || nameOf(control)
}

export const inspect = (xml: string): Inspected => {
  const all = [...new DOMParser().parseFromString(xml, 'text/xml').getElementsByTagName('*')]
  const submission = all.find(isNamed('submission'))
  const controls = all.filter((one) => impossible.test(one.getAttribute('appearance') ?? ''))
  const recorded = all.filter(isNamed('recordaudio')).map(nameOf)
  return {
    isEncrypted: Boolean(submission?.getAttribute('base64RsaPublicKey')),
    unanswerable: [...controls.map(labelOf(all)), ...recorded].filter((name) => name !== ''),
  }
}
