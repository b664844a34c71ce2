import type { Resolver } from '../references/resolver.js'
import type { SurveyContext } from './context.js'
import type { FormNode, Source } from './node.js'

const oneReference = /^\$\{([^{}]+)\}$/

/** Hangs each triggered question's action on the questions that trigger it. */
export const connectTriggers = (root: FormNode, resolver: Resolver, context: SurveyContext): void => {
  const visit = (node: FormNode): void => {
    if (node.triggers !== null && node.kind === 'question') connect(node, node.triggers, resolver, context)
    for (const child of node.children) visit(child)
  }
  visit(root)
}

const connect = (node: FormNode, triggers: Source, resolver: Resolver, context: SurveyContext): void => {
  const { problems } = context
  const report = (code: string, message: string): void =>
    problems.add(code, message, { ...triggers, value: triggers.text })
  // A comma too many separates nothing, and naming a question twice does not trigger twice.
  const parts = new Set(triggers.text.split(',').map((part) => part.trim()))
  if (parts.size > 1) parts.delete('')
  for (const part of parts) {
    const match = oneReference.exec(part)
    if (match === null) {
      report('invalid-trigger', 'A trigger is a reference such as ${q}; several are separated by commas.')
      continue
    }
    const source = resolver.target(match[1] ?? '', triggers, node)
    if (source === undefined) continue
    warnOfRepeat(node, source, triggers, context)
    if (source.kind !== 'question')
      report('invalid-trigger', `'${source.name}' is a ${source.kind} and cannot trigger anything. Name a question.`)
    else if (!source.hasControl)
      report(
        'invisible-trigger',
        `'${source.name}' is not shown, so nobody can change it and '${node.name}' would never be triggered.`,
      )
    else if (node.type?.name === 'background-geopoint')
      source.actions.push({ kind: 'setgeopoint', target: node, value: null })
    else source.actions.push({ kind: 'setvalue', target: node, value: node.bind.get('calculate') ?? null })
  }
}

// Clients set a value in one instance of a repeat; from outside they cannot tell in which, and stop with an error.
const warnOfRepeat = (node: FormNode, source: FormNode, triggers: Source, context: SurveyContext): void => {
  const { repeat } = node
  if (repeat === null) return
  for (let current = source.parent; current !== null; current = current.parent) if (current === repeat) return
  context.warnings.add(
    'trigger-outside-repeat',
    `'${node.name}' is in the repeat '${repeat.name}' but its trigger '${source.name}' is not, so clients cannot tell which instance to change. Use a calculation without trigger, or move one of them.`,
    { ...triggers, value: triggers.text },
  )
}
