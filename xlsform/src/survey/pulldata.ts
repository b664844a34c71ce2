import type { Externals } from './externals.js'
import type { FormNode, Source } from './node.js'

const call = /\bpulldata\s*\(\s*(?:'([^']+)'|"([^"]+)")/g
const columns = ['calculate', 'constraint', 'relevant', 'required', 'readonly']

/** Declares the files that pulldata() reads; the calls themselves stay as they are. */
export const declarePulldata = (node: FormNode, externals: Externals): void => {
  for (const name of columns) scan(node.bind.get(name), externals)
  scan(node.choiceFilter, externals)
  scan(node.default, externals)
}

const scan = (source: Source | null | undefined, externals: Externals): void => {
  if (source?.text.includes('pulldata') !== true) return
  for (const [, single, double] of source.text.matchAll(call)) {
    const file = single ?? double ?? ''
    externals.add(file, `jr://file-csv/${file}.csv`, source)
  }
}
