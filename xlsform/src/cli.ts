import { compile } from './compile.js'
import { formatProblem, type Problem, XlsFormError } from './problems.js'
import { readWorkbook } from './workbook/read-workbook.js'

/** The outside world of the command, so that it can be run in a test. */
export interface Terminal {
  readFile: (path: string) => Uint8Array
  writeFile: (path: string, content: string) => void
  out: (text: string) => void
  err: (text: string) => void
}

const usage = `Usage: sheaf-xlsform FORM [-o FILE] [--root NAME] [--json]

Compiles a form (.xlsx, .xlsm, .xls, CSV or Markdown) and prints the XForm.

  -o FILE      write the XForm to FILE; itemsets.csv goes next to it
  --root NAME  name of the root element when the form does not name it
  --json       print the form's model as JSON instead of the XForm

Problems and warnings go to the error output. Exit status: 0 done, 1 problems in the form, 2 wrong usage.
`

interface Arguments {
  form: string
  output: string | null
  root: string | null
  isJson: boolean
}

/** Runs the command and gives its exit status. */
export const run = (argv: readonly string[], terminal: Terminal): number => {
  if (argv.includes('--help') || argv.includes('-h')) {
    terminal.out(usage)
    return 0
  }
  const parsed = readArguments(argv)
  if (typeof parsed === 'string') {
    terminal.err(`${parsed}\n\n${usage}`)
    return 2
  }
  let bytes: Uint8Array
  try {
    bytes = terminal.readFile(parsed.form)
  } catch {
    terminal.err(`The file ${parsed.form} cannot be read.\n`)
    return 2
  }
  return compileFile(parsed, bytes, terminal)
}

const readArguments = (argv: readonly string[]): Arguments | string => {
  const found: Arguments = { form: '', output: null, root: null, isJson: false }
  const rest = [...argv]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const fault = readArgument(argument, rest, found)
    if (fault !== null) return fault
  }
  return found.form === '' ? 'Which form? Give the name of a file.' : found
}

const readArgument = (argument: string, rest: string[], found: Arguments): string | null => {
  if (argument === '--json') found.isJson = true
  else if (argument === '-o' || argument === '--root') {
    const value = rest.shift()
    if (value === undefined) return `${argument} needs a value.`
    found[argument === '-o' ? 'output' : 'root'] = value
  } else if (argument.startsWith('-') && argument.length > 1) return `The option ${argument} is not known.`
  else if (found.form === '') found.form = argument
  else return 'Give one form at a time.'
  return null
}

const compileFile = ({ form, output, root, isJson }: Arguments, bytes: Uint8Array, terminal: Terminal): number => {
  try {
    const result = compile(bytes, { fileName: form, ...(root === null ? {} : { rootName: root }) })
    for (const warning of result.warnings) terminal.err(`Warning: ${formatProblem(warning)}\n`)
    const text = isJson ? `${JSON.stringify(result.model, null, 2)}\n` : result.xform
    if (output === null) terminal.out(text)
    else {
      terminal.writeFile(output, text)
      const folder = output.slice(0, Math.max(output.lastIndexOf('/'), output.lastIndexOf('\\')) + 1)
      if (result.itemsets !== undefined) terminal.writeFile(`${folder}itemsets.csv`, result.itemsets)
    }
    return 0
  } catch (error) {
    if (!(error instanceof XlsFormError)) throw error
    terminal.err(explain(error.problems, bytes, form))
    return 1
  }
}

/** The problems as a person likes to read them: each with its row, and the cell in question pointed at. */
const explain = (problems: readonly Problem[], bytes: Uint8Array, form: string): string => {
  const rows = problems.some(({ row }) => row !== null) ? new RowPrinter(bytes) : null
  const parts = problems.map((problem) => `${formatProblem(problem)}\n${rows?.print(problem) ?? ''}`)
  const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`
  return `${parts.join('\n')}\n${count} in ${form}.\n`
}

const maxCellWidth = 40

class RowPrinter {
  readonly #sheets: ReturnType<typeof readWorkbook>['sheets'] | null

  constructor(bytes: Uint8Array) {
    try {
      this.#sheets = readWorkbook(bytes).sheets
    } catch {
      this.#sheets = null
    }
  }

  print({ sheet, row, column, value }: Problem): string {
    const rows = [...(this.#sheets ?? [])].find(([name]) => name === sheet)?.[1].rows ?? []
    const found = rows.find(({ number }) => number === row)
    if (found === undefined || row === null) return ''
    const [first] = rows
    const headers = new Map(first?.columns.map((own, index) => [own, first.texts[index]?.replace(/\s+/g, ' ')]))
    const texts = found.texts.map(shorten)
    const wanted = found.columns.findIndex(
      (own, index) => headers.get(own) === column || (row === 1 && found.texts[index] === value),
    )
    const margin = `  ${row} | `
    const line = `${margin}${texts.join(' | ')}\n`
    if (wanted === -1) return line
    const offset = texts.slice(0, wanted).reduce((width, text) => width + text.length + 3, margin.length)
    return `${line}${' '.repeat(offset)}${'^'.repeat(Math.max(1, texts[wanted]?.length ?? 1))}\n`
  }
}

const shorten = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > maxCellWidth ? `${flat.slice(0, maxCellWidth - 1)}…` : flat
}
