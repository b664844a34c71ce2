// A large form as people write them: groups, repeats, two languages, choices, and expressions that name other questions.
import { utils, write } from '@e965/xlsx'

const languages = ['English (en)', 'French (fr)']
const questionsPerGroup = 25
const choicesPerList = 20

const kindOf = (start: number): string => (start % 100 === 0 ? 'repeat' : 'group')

const questionRow = (index: number, before: string | null, lists: number): string[] => {
  const name = `q${index}`
  const relevant = before === null ? '' : `\${${before}} != '' and string-length(\${${before}}) > 1`
  const labels = [`Question ${index}${before === null ? '' : ` after \${${before}}`}`, `Question numéro ${index}`]
  switch (index % 5) {
    case 0:
      return [`select_one list${index % lists}`, name, ...labels, 'Choose', relevant, '', 'yes', '']
    case 1:
      return ['integer', name, ...labels, 'A number', relevant, '. >= 0 and . < 150', 'yes', '']
    case 2:
      return ['calculate', name, '', '', '', '', '', '', `concat(\${${before ?? 'q0'}}, ' x')`]
    default:
      return ['text', name, ...labels, 'Some text', relevant, '', '', '']
  }
}

const surveyRows = (questions: number, lists: number): string[][] => {
  const labels = languages.map((one) => `label::${one}`)
  const rows = [['type', 'name', ...labels, 'hint', 'relevant', 'constraint', 'required', 'calculation']]
  for (let start = 0; start < questions; start += questionsPerGroup) {
    rows.push([`begin_${kindOf(start)}`, `g${start}`, 'Group', 'Groupe'])
    for (let index = start; index < Math.min(questions, start + questionsPerGroup); index += 1)
      rows.push(questionRow(index, index === start ? null : `q${index - 1}`, lists))
    rows.push([`end_${kindOf(start)}`])
  }
  return rows
}

export interface FormSize {
  readonly questions: number
  readonly choices: number
}

/** As .xlsx. */
export const workbook = ({ questions, choices }: FormSize, formId = 'bench'): Buffer => {
  const lists = Math.max(1, Math.floor(choices / choicesPerList))
  const choiceRows = [['list_name', 'name', ...languages.map((one) => `label::${one}`)]]
  for (let index = 0; index < choices; index += 1)
    choiceRows.push([`list${Math.floor(index / choicesPerList)}`, `c${index}`, `Choice ${index}`, `Choix ${index}`])
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet(surveyRows(questions, lists)), 'survey')
  utils.book_append_sheet(book, utils.aoa_to_sheet(choiceRows), 'choices')
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['form_id', 'default_language'],
      [formId, languages[0]],
    ]),
    'settings',
  )
  return write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: true }) as Buffer
}
