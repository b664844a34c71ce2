// Compiles forms of three sizes, given as .xlsx, and prints the median of warm runs: node xlsform/bench/compile.js
import { utils, write } from '@e965/xlsx'
import { compile } from '../dist/index.js'

const sizes = [
  { questions: 20, choices: 20, runs: 200, limitMilliseconds: 5 },
  { questions: 500, choices: 1_000, runs: 30, limitMilliseconds: 60 },
  { questions: 5_000, choices: 10_000, runs: 12, limitMilliseconds: 600 },
  { questions: 5_000, choices: 100_000, runs: 5, limitMilliseconds: null },
]

const languages = ['English (en)', 'French (fr)']
const questionsPerGroup = 25
const choicesPerList = 20

const surveyRows = (questions, lists) => {
  const rows = [
    [
      'type',
      'name',
      ...languages.map((one) => `label::${one}`),
      'hint',
      'relevant',
      'constraint',
      'required',
      'calculation',
    ],
  ]
  for (let index = 0; index < questions; index += 1) {
    if (index % questionsPerGroup === 0)
      rows.push([index % 100 === 0 ? 'begin_repeat' : 'begin_group', `g${index}`, 'Group', 'Groupe'])
    const before = index % questionsPerGroup === 0 ? '' : `q${index - 1}`
    const relevant = before === '' ? '' : `\${${before}} != '' and string-length(\${${before}}) > 1`
    const labels = [`Question ${index}${before === '' ? '' : ` after \${${before}}`}`, `Question numéro ${index}`]
    if (index % 5 === 0)
      rows.push([`select_one list${index % lists}`, `q${index}`, ...labels, 'Choose', relevant, '', 'yes', ''])
    else if (index % 5 === 1)
      rows.push(['integer', `q${index}`, ...labels, 'A number', relevant, '. >= 0 and . < 150', 'yes', ''])
    else if (index % 5 === 2)
      rows.push(['calculate', `q${index}`, '', '', '', '', '', '', `concat(\${${before || 'q0'}}, ' x')`])
    else rows.push(['text', `q${index}`, ...labels, 'Some text', relevant, '', '', ''])
    if (index % questionsPerGroup === questionsPerGroup - 1 || index === questions - 1) {
      const start = index - (index % questionsPerGroup)
      rows.push([start % 100 === 0 ? 'end_repeat' : 'end_group'])
    }
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

let isSlow = false
for (const size of sizes) {
  const bytes = workbook(size)
  const times = []
  let length = 0
  for (let run = 0; run < size.runs + 3; run += 1) {
    const start = performance.now()
    length = compile(bytes).xform.length
    if (run >= 3) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)]
  const limit = size.limitMilliseconds
  if (limit !== null && median > limit) isSlow = true
  print(
    `${String(size.questions).padStart(6)} questions ${String(size.choices).padStart(7)} choices: median ${median.toFixed(1)} ms, ` +
      `best ${times[0].toFixed(1)} ms, worst ${times.at(-1).toFixed(1)} ms, limit ${limit ?? '-'} ms, ${(length / 1024).toFixed(0)} KB of XForm`,
  )
}
process.exitCode = isSlow ? 1 : 0
