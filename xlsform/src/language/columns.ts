import type { SheetName } from '../workbook/workbook.js'

/** What a cell of the column holds, for whoever helps to fill it. */
export type CellKind = 'type' | 'name' | 'text' | 'expression' | 'yes or no' | 'list' | 'file' | 'words'

export interface FormColumn {
  readonly name: string
  readonly kind: CellKind
  readonly explanation: string
  /** May be there once for each language: `label::French (fr)`. */
  readonly isTranslatable: boolean
}

const column = (name: string, kind: CellKind, explanation: string): FormColumn => ({
  name,
  kind,
  explanation,
  isTranslatable: false,
})
const translated = (name: string, kind: CellKind, explanation: string): FormColumn => ({
  ...column(name, kind, explanation),
  isTranslatable: true,
})

const media = [
  translated('image', 'file', 'A picture that is shown with it, by the name of an attached file.'),
  translated('big-image', 'file', 'The same picture in large, for whoever taps it.'),
  translated('audio', 'file', 'A sound that can be played.'),
  translated('video', 'file', 'A film that can be played.'),
]

const choiceColumns = [
  column('list_name', 'list', 'The list that the choice belongs to.'),
  column('name', 'name', 'What is stored when it is chosen. Letters, digits and _; no blanks.'),
  translated('label', 'text', 'What people read.'),
  ...media,
]

/** The columns that each sheet of a form knows, the most used ones first. Choices may have any others for choice_filter. */
export const formColumns: Readonly<Record<SheetName, readonly FormColumn[]>> = {
  survey: [
    column('type', 'type', 'What is asked for.'),
    column('name', 'name', 'What the answer is called in the data and in ${…}. Letters, digits and _; each once.'),
    translated('label', 'text', 'What is asked, as people read it.'),
    translated('hint', 'text', 'A help below the question.'),
    column('required', 'yes or no', 'Whether the question must be answered; or a condition.'),
    column('relevant', 'expression', 'A condition: the question is asked only where it is true.'),
    column('constraint', 'expression', 'A condition that an answer must meet; the dot is the answer: . >= 18.'),
    translated('constraint_message', 'text', 'What is said to an answer that does not.'),
    column('calculation', 'expression', 'How the value is worked out.'),
    column('choice_filter', 'expression', 'A condition that choices must meet, such as region = ${region}.'),
    column('default', 'words', 'The answer to start with; an expression is worked out when the form is opened.'),
    column('appearance', 'words', 'How it looks; which words there are depends on the type.'),
    column('parameters', 'words', 'More on the question as key=value; which keys there are depends on the type.'),
    column('read_only', 'yes or no', 'Whether the answer can only be read.'),
    column('repeat_count', 'expression', 'How often a repeat is asked: a number or a reference.'),
    column('trigger', 'expression', 'The question whose answer makes the calculation run: ${q}.'),
    translated('required_message', 'text', 'What is said where an answer is missing.'),
    translated('guidance_hint', 'text', 'A longer help, for training and on paper.'),
    ...media,
    column('save_to', 'name', 'The property of an entity that the answer is saved to.'),
    column('intent', 'words', 'The Android program that answers a group of questions.'),
    column('autoplay', 'words', 'Which medium plays by itself: audio or video.'),
    column('rows', 'words', 'How many lines a text shows.'),
    column('compact_tag', 'name', 'A short name of the question for compact records.'),
    column('hxl', 'words', 'The HXL tag of the answers.'),
    translated('noAppErrorString', 'text', 'What is said where the program of intent is not there.'),
    column('disabled', 'yes or no', 'Leaves the row out. Not every program knows it.'),
  ],
  choices: choiceColumns,
  settings: [
    column('form_title', 'text', 'What people read above the form.'),
    column('form_id', 'name', 'What the form is called in the data. It stays the same in all versions.'),
    column('version', 'words', 'Each version of the form has another, such as 2024050601.'),
    column('default_language', 'words', 'The language that is shown first, as columns name it.'),
    column('instance_name', 'expression', 'What a record is called, such as concat(${village}, 1).'),
    column('style', 'words', 'pages, theme-grid and others, for forms in browsers.'),
    column('allow_choice_duplicates', 'yes or no', 'Whether a list may hold a name twice.'),
    column('public_key', 'words', 'The key with which records are encrypted.'),
    column('submission_url', 'words', 'Where records are sent to, if not to this server.'),
    column('auto_send', 'yes or no', 'Whether devices send by themselves.'),
    column('auto_delete', 'yes or no', 'Whether devices delete what was sent.'),
    column('client_editable', 'yes or no', 'Whether devices may edit what was sent.'),
    column('name', 'name', 'The name of the root element; data if not given.'),
    column('namespaces', 'words', 'Prefixes of attributes with their addresses.'),
    column('instance_id', 'words', 'How records get their id.'),
    column('instance_xmlns', 'words', 'The namespace of records.'),
    column('prefix', 'words', 'What compact records begin with.'),
    column('delimiter', 'words', 'What separates the answers of compact records.'),
    column('clean_text_values', 'yes or no', 'Whether blanks in a row become one; yes if not given.'),
    column('flat', 'yes or no', 'Whether groups leave no element.'),
    column('add_none_option', 'yes or no', 'Whether every select_multiple gets a choice none.'),
    column('omit_instanceID', 'yes or no', 'Whether records have no id.'),
  ],
  entities: [
    column('list_name', 'list', 'The list of entities that the form fills.'),
    column('label', 'expression', 'What an entity is called, such as ${name}.'),
    column('entity_id', 'expression', 'The entity to update.'),
    column('create_if', 'expression', 'A condition: only then an entity is made.'),
    column('update_if', 'expression', 'A condition: only then it is updated.'),
    column('repeat', 'expression', 'The repeat whose instances are entities: ${r}.'),
  ],
  external_choices: choiceColumns,
  osm: choiceColumns,
}
