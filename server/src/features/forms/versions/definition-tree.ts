// A form as clients of this API family read it: one tree in JSON, with the words that spreadsheets use.
import {
  type FormModel,
  inlineChoicesOf,
  type ModelChoice,
  type ModelNode,
  type ModelQuestion,
  type ModelText,
} from '@sheaf/xlsform/form'

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

/** A hundred choices are some 5,000 characters. */
const choicesAtOnce = 100

function* separated<T>(items: readonly T[], textOf: (item: T) => Iterable<string>): Generator<string> {
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ','
    yield* textOf(item)
  }
}

function* choicesText(choices: readonly ModelChoice[]): Generator<string> {
  yield '['
  for (let from = 0; from < choices.length; from += choicesAtOnce) {
    const some = choices.slice(from, from + choicesAtOnce).map((one) => JSON.stringify(choice(one)))
    yield (from === 0 ? '' : ',') + some.join(',')
  }
  yield ']'
}

/** An object that is not closed yet; it has a member already. */
const opened = (object: Readonly<Record<string, unknown>>): string => JSON.stringify(object).slice(0, -1)

function* node(model: FormModel, element: ModelNode): Generator<string> {
  const { name, appearance } = element
  const common = { name, label: words(element.labels), control: appearance === null ? null : { appearance } }
  if (element.kind !== 'question') {
    const bind = element.relevant === null ? null : { relevant: element.relevant }
    yield `${opened(filled({ type: element.kind, ...common, bind }))},"children":[`
    yield* separated(element.children, (child) => node(model, child))
    return yield ']}'
  }
  yield opened(
    filled({
      type: typeNames.get(element.type) ?? element.type,
      ...common,
      hint: words(element.hints),
      default: element.default,
      bind: bindOf(element),
      itemset: element.list,
    }),
  )
  const choices = inlineChoicesOf(model, element)
  if (choices !== null) {
    yield ',"choices":'
    yield* choicesText(choices)
  }
  yield '}'
}

/** JSON in pieces: many questions may each repeat one long list. The title is the form's own: it may have been changed
 * since the definition was published. */
export function* definitionTree(model: FormModel, form: { title: string; smsIdString: string }): Generator<string> {
  const head = {
    name: model.rootName,
    title: form.title,
    id_string: model.formId,
    sms_keyword: form.smsIdString,
    default_language: model.defaultLanguage ?? 'default',
    version: model.version,
    type: 'survey',
  }
  yield `${opened(head)},"children":[`
  yield* separated(model.children, (child) => node(model, child))
  yield '],"choices":{'
  yield* separated(model.choiceLists, function* ({ name, choices }) {
    yield `${JSON.stringify(name)}:`
    yield* choicesText(choices)
  })
  yield '}}'
}
