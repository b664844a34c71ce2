// What a form asks, as a table for a codebook: node questions.mjs visit.xlsx > codebook.csv
import { readFileSync } from 'node:fs'
import { choicesIn, compile, walkModel } from '@sheaf/xlsform'

const [path = ''] = process.argv.slice(2)
const { model } = compile(readFileSync(path), { fileName: path })
const choicesOf = choicesIn(model)
const cell = (text) => `"${String(text ?? '').replaceAll('"', '""')}"`

process.stdout.write('path,type,label,choices\n')
for (const node of walkModel(model.children)) {
  if (node.kind !== 'question') continue
  const label = node.labels[0]?.text
  const choices = choicesOf(node)?.map(({ name }) => name) ?? []
  process.stdout.write(`${[node.path, node.type, label, choices.join(' ')].map(cell).join(',')}\n`)
}
