// Compiles forms of three sizes, given as .xlsx, and prints the median of warm runs: node xlsform/bench/compile.js
import { utils, write } from '@e965/xlsx'
import { compile, parseXForm } from '../dist/index.js'

const sizes = [
  { questions: 20, choices: 20, runs: 200, limitMilliseconds: 5 },
  { questions: 500, choices: 1_000, runs: 30, limitMilliseconds: 60 },
  { questions: 5_000, choices: 10_000, runs: 12, limitMilliseconds: 600 },
  { questions: 5_000, choices: 100_000, runs: 5, limitMilliseconds: null },
]

const languages = ['English (en)', 'French (fr)']
const questionsPerGroup = 25
const choicesPerList = 20

const kindOf = (start) => (start % 100 === 0 ? 'repeat' : 'group')

const questionRow = (index, before, lists) => {
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

const surveyRows = (questions, lists) => {
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

const workbook = ({ questions, choices }) => {
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
      ['bench', languages[0]],
    ]),
    'settings',
  )
  return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx', bookSST: true, compression: true }))
}

const print = (line) => process.stdout.write(`${line}\n`)

/** Times of warm runs in milliseconds, fastest first. */
const measure = (runs, work) => {
  const times = []
  const warmUps = Math.max(3, runs / 10)
  for (let run = 0; run < runs + warmUps; run += 1) {
    const start = performance.now()
    work()
    if (run >= warmUps) times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)
}

const medianOf = (times) => times[Math.floor(times.length / 2)]

let isSlow = false
for (const size of sizes) {
  const bytes = workbook(size)
  const { xform } = compile(bytes)
  const times = measure(size.runs, () => compile(bytes))
  const parsing = measure(Math.ceil(size.runs / 4), () => parseXForm(xform))
  const limit = size.limitMilliseconds
  if (limit !== null && medianOf(times) > limit) isSlow = true
  print(
    `${String(size.questions).padStart(6)} questions ${String(size.choices).padStart(7)} choices: ` +
      `compile median ${medianOf(times).toFixed(1)} ms (best ${times[0].toFixed(1)}, worst ${times.at(-1).toFixed(1)}, ` +
      `limit ${limit ?? '-'}), parse ${medianOf(parsing).toFixed(1)} ms, ${(xform.length / 1024).toFixed(0)} KB of XForm`,
  )
}
process.exitCode = isSlow ? 1 : 0
