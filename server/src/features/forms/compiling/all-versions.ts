// What a form asks in all of its versions together. Its tables, lists and charts have a place for each of them, for ever: records
// keep the version that they were made with. So it is bounded over all versions, where one is published.
import { setImmediate } from 'node:timers/promises'
import { type FormModel, walkModel } from '@sheaf/xlsform/form'
import { budgets } from '../../../budgets.js'
import { type FormFields, fieldsOf } from '../../../formats/form/index.js'
import { readModelText } from '../versions/index.js'
import { tooManyQuestions, tooManyRepeats } from './compiling.errors.js'

const { questions: mostQuestions, repeats: mostRepeats } = budgets.forms

/** The fewest characters that a question takes in a model. A model that is shorter than all of them cannot have too many. */
const leastCharacters = 100

interface Asked {
  readonly questions: Set<string>
  readonly repeats: Set<string>
}

const identity = ({ key, repeats }: { readonly key: string; readonly repeats: readonly string[] }): string =>
  JSON.stringify([...repeats, key])

const add = ({ questions, repeats }: Asked, version: FormFields): void => {
  for (const field of version.fields) {
    if (field.kind !== 'none' && !field.isMeta) questions.add(identity(field))
  }
  for (const repeat of version.repeats.values()) repeats.add(identity(repeat))
}

/** Counted before anything is made of them: a loop may make 200,000. */
const refuseLongList = ({ children }: FormModel): void => {
  let [questions, repeats] = [0, 0]
  for (const node of walkModel(children)) {
    if (node.kind === 'repeat') repeats += 1
    else if (node.kind === 'question' && node.type !== 'note') questions += 1
    // The form's own meta questions are about ten, and do not count.
    if (questions > mostQuestions + 100) throw tooManyQuestions()
    if (repeats > mostRepeats) throw tooManyRepeats()
  }
}

/** `former`: the fields of every version that the form has had. A form that was beyond the bounds before there were any may
 * be replaced by a version that adds nothing. */
export const refuseWide = async (model: string, former: readonly FormFields[]): Promise<void> => {
  if (former.length === 0 && model.length < mostRepeats * leastCharacters) return
  const next = (await readModelText(model)) as FormModel
  refuseLongList(next)
  const asked: Asked = { questions: new Set(), repeats: new Set() }
  for (const version of former) {
    add(asked, version)
    await setImmediate()
  }
  const before = { questions: asked.questions.size, repeats: asked.repeats.size }
  add(asked, fieldsOf(next))
  if (asked.questions.size > Math.max(mostQuestions, before.questions)) throw tooManyQuestions()
  if (asked.repeats.size > Math.max(mostRepeats, before.repeats)) throw tooManyRepeats()
}
