// Questions whose choices are looked for elsewhere when somebody answers.
import { type FormModel, walkModel } from '@sheaf/xlsform/form'
import { localName } from '../form/index.js'

/** `/data/group/own:age` is `group/age` in records. */
const keyOf = (path: string): string => path.split('/').slice(2).map(localName).join('/')

/** By their keys in records. */
export const openSelectsOf = (model: FormModel): ReadonlySet<string> => {
  const open = new Set<string>()
  for (const node of walkModel(model.children)) {
    // The choices that such a form writes down stand for those of a file.
    if (/^\s*search\s*\(/.test(node.appearance ?? '')) open.add(keyOf(node.path))
  }
  return open
}
