// A form of another tool may carry the id of its first record as text.
import type { FormModel, ModelNode, ModelQuestion } from '../model/model.js'
import type { Problem } from '../problems.js'

const idIn = (nodes: readonly ModelNode[]): ModelQuestion | undefined =>
  nodes
    .flatMap((node) => (node.kind === 'group' && node.name === 'meta' ? node.children : []))
    .find((node) => node.kind === 'question' && node.name === 'instanceID') as ModelQuestion | undefined

/** Not by a pattern: a text that begins a bind again and again would be looked through from each of them. */
const bindsIn = (xml: string): string[] =>
  xml
    .split('<bind')
    .slice(1)
    .map((rest) => rest.split('>', 1)[0] ?? '')

const isPreloaded = (xml: string, path: string): boolean =>
  bindsIn(xml).some((bind) => (bind.includes(`"${path}"`) || bind.includes(`'${path}'`)) && bind.includes('preload='))

/** Whatever takes the id from the form gives every record the same one, and a server takes all but the first for repetitions. */
export const fixedIdIn = (xml: string, { children }: FormModel): Problem[] => {
  const id = idIn(children)
  if (id === undefined || id.default === null || id.calculate !== null || isPreloaded(xml, id.path)) return []
  const message = `The form gives every record the same id (${id.path} is '${id.default}'), so that only the first one is stored. Make its element empty, and give its bind jr:preload="uid".`
  return [{ code: 'fixed-instance-id', message, sheet: null, row: null, column: null, value: id.default }]
}
