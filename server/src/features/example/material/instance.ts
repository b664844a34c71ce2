// A filled form as devices send it.

/** By the names of questions: a text, a group, or the turns of a repeat. What is blank was skipped. */
export interface Answers {
  readonly [name: string]: string | Answers | readonly Answers[]
}

export interface Filled {
  readonly instanceId: string
  /** Of the version that this one takes the place of. */
  readonly replaces?: string
  readonly submitted: Date
  readonly answers: Answers
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const isList = (value: Answers[string]): value is readonly Answers[] => Array.isArray(value)

const elements = (answers: Answers): string =>
  Object.entries(answers)
    .map(([name, value]) => {
      if (typeof value === 'string') return value === '' ? `<${name}/>` : `<${name}>${escaped(value)}</${name}>`
      return (isList(value) ? value : [value]).map((one) => `<${name}>${elements(one)}</${name}>`).join('')
    })
    .join('')

export const instanceXml = (form: { id: string; version: string }, filled: Filled): string => {
  const { instanceId, replaces, submitted, answers } = filled
  const former = replaces === undefined ? '' : `<deprecatedID>uuid:${replaces}</deprecatedID>`
  const attributes = `id="${form.id}" version="${form.version}" submissionDate="${submitted.toISOString()}"`
  return `<data ${attributes}>${elements(answers)}<meta><instanceID>uuid:${instanceId}</instanceID>${former}</meta></data>`
}
