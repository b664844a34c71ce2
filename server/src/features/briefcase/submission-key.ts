// How Briefcase names a record: `ID[@version=V and @uiVersion=null]/ROOT[@key=uuid:…]`.

export interface SubmissionKey {
  /** Of the form. */
  readonly idString: string
  /** Without `uuid:`. */
  readonly uuid: string
}

const mark = '@key='

/** The version is passed over: Briefcase writes it as `Optional[5]`. So is the name of the root, which it takes from elsewhere for
 * encrypted forms. Undefined for what names no record. */
export const submissionKeyIn = (text: string): SubmissionKey | undefined => {
  const [open, at] = [text.indexOf('['), text.lastIndexOf(mark)]
  if (open <= 0 || at === -1) return undefined
  const key = text.slice(at + mark.length).trim()
  const uuid = (key.endsWith(']') ? key.slice(0, -1) : key).replace(/^uuid:/, '')
  return uuid === '' ? undefined : { idString: text.slice(0, open), uuid }
}
