// A form as clients of this API family read it: one tree of plain objects, with the words that spreadsheets use.
import type { FormModel, ModelChoice, ModelNode, ModelQuestion, ModelText } from '@sheaf/xlsform'

/** Types whose name in the tree is not their name in the model. */
const typeNames: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    select_one: 'select one',
    select_multiple: 'select all that apply',
    image: 'photo',
  }),
)

type Words = string | Record<string, string>

/** One text, or one by language where the form has several. */
const words = (texts: readonly ModelText[]): Words | undefined => {
  const [first] = texts
  if (first === undefined) return undefined
  if (texts.length === 1 && first.language === null) return first.text
  return Object.fromEntries(texts.map(({ language, text }) => [language ?? 'default', text]))
}

/** Keys without a value are left out. */
const filled = (object: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null))

const choice = ({ name, labels, data }: ModelChoice) =>
  filled({ name, label: words(labels), ...Object.fromEntries(data) })

const bindOf = (question: ModelQuestion) =>
  filled({
    type: question.dataType,
    required: question.required,
    'jr:requiredMsg': words(question.requiredMessages),
    relevant: question.relevant,
    constraint: question.constraint,
    'jr:constraintMsg': words(question.constraintMessages),
    calculate: question.calculate,
    readonly: question.readonly,
  })

const node = (element: ModelNode): Record<string, unknown> => {
  const { name, appearance } = element
  const common = { name, label: words(element.labels), control: appearance === null ? null : { appearance } }
  if (element.kind !== 'question') {
    const bind = element.relevant === null ? null : { relevant: element.relevant }
    return filled({ type: element.kind, ...common, bind, children: element.children.map(node) })
  }
  return filled({
    type: typeNames.get(element.type) ?? element.type,
    ...common,
    hint: words(element.hints),
    default: element.default,
    bind: bindOf(element),
    itemset: element.list,
    choices: element.choices?.map(choice),
  })
}

/** The title is the form's own: it may have been changed since the definition was published. */
export const definitionTree = (model: FormModel, form: { title: string; smsIdString: string }) => ({
  name: model.rootName,
  title: form.title,
  id_string: model.formId,
  sms_keyword: form.smsIdString,
  default_language: model.defaultLanguage ?? 'default',
  version: model.version,
  type: 'survey',
  children: model.children.map(node),
  choices: Object.fromEntries(model.choiceLists.map(({ name, choices }) => [name, choices.map(choice)])),
})
