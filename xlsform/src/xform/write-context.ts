import type { ReferenceRules, Resolver } from '../references/resolver.js'
import type { SurveyContext } from '../survey/context.js'
import type { FormNode, Source } from '../survey/node.js'
import type { Itext } from './itext.js'

/** What the writing of a form looks up and adds to. */
export interface WriteContext {
  survey: SurveyContext
  resolver: Resolver
  itext: Itext
}

/** An expression with its references resolved; bad syntax is a problem where it stands. */
export const checkedExpression = (
  source: Source,
  node: FormNode,
  context: WriteContext,
  rules: ReferenceRules = {},
): string => context.resolver.checkedExpression(source, node, rules)
