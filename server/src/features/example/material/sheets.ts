// A form as the sheets of an XLSForm, written question by question.

export type Sheets = Readonly<Record<string, readonly (readonly string[])[]>>

/** English, Swahili, Arabic. */
export type Words = readonly [english: string, swahili: string, arabic: string]

const languages = ['English (en)', 'Kiswahili (sw)', 'العربية (ar)'] as const

export interface Question {
  readonly type: string
  readonly name: string
  readonly label?: Words
  readonly hint?: Words
  readonly required?: boolean
  readonly relevant?: string
  readonly constraint?: string
  readonly constraintMessage?: Words
  readonly calculation?: string
  readonly appearance?: string
  readonly parameters?: string
}

export interface Choice {
  readonly name: string
  readonly label: Words
}

export interface FormText {
  readonly id: string
  readonly title: string
  readonly version: string
  /** An expression: what a record is called. */
  readonly instanceName: string
  readonly questions: readonly Question[]
  readonly choices: Readonly<Record<string, readonly Choice[]>>
}

/** An answer, as expressions name it. */
export const ref = (name: string): string => `\${${name}}`

const translated = (column: string): string[] => languages.map((language) => `${column}::${language}`)
const words = (text: Words | undefined): readonly string[] => text ?? ['', '', '']

export const sheetsOf = ({ id, title, version, instanceName, questions, choices }: FormText): Sheets => ({
  survey: [
    [
      ...['type', 'name', ...translated('label'), ...translated('hint'), 'required', 'relevant', 'constraint'],
      ...[...translated('constraint_message'), 'calculation', 'appearance', 'parameters'],
    ],
    ...questions.map((one) => [
      ...[one.type, one.name, ...words(one.label), ...words(one.hint), one.required ? 'yes' : ''],
      ...[one.relevant ?? '', one.constraint ?? '', ...words(one.constraintMessage)],
      ...[one.calculation ?? '', one.appearance ?? '', one.parameters ?? ''],
    ]),
  ],
  choices: [
    ['list_name', 'name', ...translated('label')],
    ...Object.entries(choices).flatMap(([list, all]) => all.map(({ name, label }) => [list, name, ...label])),
  ],
  settings: [
    ['form_id', 'form_title', 'version', 'default_language', 'instance_name'],
    [id, title, version, languages[0], instanceName],
  ],
})
