import type { FormNode } from '../survey/node.js'

/** The innermost element that is above both; each one's ancestors start at its parent. */
const commonAncestor = (source: FormNode, target: FormNode): FormNode | null => {
  let a = source.parent
  let b = target.parent
  while (a !== null && b !== null && a !== b) {
    if (a.depth >= b.depth) a = a.parent
    else b = b.parent
  }
  return a === null || b === null ? null : a
}

const nearestRepeat = (node: FormNode): FormNode | null => (node.kind === 'repeat' ? node : node.repeat)

/** Up from the source to an ancestor of both, then down to the target. */
const climb = (source: FormNode, through: FormNode, target: FormNode): string =>
  '../'.repeat(source.depth - through.depth) + target.path.slice(through.path.length + 1)

/** Absolute unless source and target share a repeat, in which case the path must stay inside that repeat instance. */
export const pathTo = (source: FormNode, target: FormNode): string => {
  const common = commonAncestor(source, target)
  if (common === null || nearestRepeat(common) === null) return target.path
  return climb(source, common, target)
}

/**
 * The path for choosing among earlier answers: it must leave the repeat the answers are in, so that all
 * of its instances are offered and not only the current one.
 */
export const pathToAnswers = (source: FormNode, target: FormNode): string => {
  const common = commonAncestor(source, target)
  const repeat = common === null ? null : nearestRepeat(common)
  if (repeat?.parent && target.repeat === repeat) return climb(source, repeat.parent, target)
  return pathTo(source, target)
}
