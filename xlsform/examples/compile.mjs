// A workbook to an XForm, with its mistakes in words: node compile.mjs visit.xlsx > visit.xml
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compile, formatProblem, XlsFormError } from '@sheaf/xlsform'

const [path = ''] = process.argv.slice(2)
try {
  const form = compile(readFileSync(path), { fileName: basename(path) })
  for (const warning of form.warnings) process.stderr.write(`warning: ${formatProblem(warning)}\n`)
  process.stdout.write(form.xform)
} catch (error) {
  if (!(error instanceof XlsFormError)) throw error
  for (const problem of error.problems) process.stderr.write(`${formatProblem(problem)}\n`)
  process.exitCode = 1
}
