import type { Row } from '../tables/table.js'
import type { SurveyContext } from './context.js'
import type { FormNode, Source } from './node.js'
import type { ContainerKind } from './row-kinds.js'

interface Open {
  node: FormNode
  kind: ContainerKind
  row: number
}

/** The groups and repeats that are open while rows are read. */
export class Containers {
  readonly #root: FormNode
  readonly #context: SurveyContext
  readonly #open: Open[] = []

  constructor(root: FormNode, context: SurveyContext) {
    this.#root = root
    this.#context = context
  }

  get depth(): number {
    return this.#open.length
  }

  get top(): FormNode {
    return this.#open.at(-1)?.node ?? this.#root
  }

  begin(node: FormNode, kind: ContainerKind, row: Row): void {
    this.#open.push({ node, kind, row: row.number })
  }

  /** Puts an element where it belongs: in the body below the innermost container, in the instance past flat groups. */
  place(node: FormNode): void {
    this.top.children.push(node)
    let parent = this.#root
    const outer: Source[] = []
    for (const { node: container } of this.#open) {
      if (!container.isFlat) {
        parent = container
        outer.length = 0
        continue
      }
      const relevant = container.bind.get('relevant')
      if (relevant !== undefined) outer.push(relevant)
    }
    node.attach(parent)
    if (!node.isFlat) node.outerRelevant = outer
  }

  end(kind: ContainerKind, row: Row): void {
    const innermost = this.#open.at(-1)
    if (innermost?.kind === kind) {
      this.#open.pop()
      this.#checkContents(innermost)
      return
    }
    const place = {
      sheet: 'survey',
      row: row.number,
      column: row.header('type'),
      value: row.get('type') ?? null,
    }
    const position = this.#open.findLastIndex((one) => one.kind === kind)
    if (position === -1 || innermost === undefined) {
      this.#context.problems.add(
        'unmatched-end',
        `This end_${kind} closes nothing: no ${kind} is open here. Remove the row or add the begin_${kind}.`,
        place,
      )
      return
    }
    this.#context.problems.add(
      'crossed-containers',
      `This end_${kind} comes while the ${innermost.kind} '${innermost.node.name}' of row ${innermost.row} is still open. ` +
        `Write end_${innermost.kind} first.`,
      place,
    )
    this.#open.length = position
  }

  #checkContents({ node, row }: Open): void {
    if (node.kind !== 'repeat' || node.children.length > 0) return
    this.#context.problems.add('empty-repeat', `The repeat '${node.name}' holds no questions. Add some or remove it.`, {
      sheet: 'survey',
      row,
      column: 'name',
      value: node.name,
    })
  }

  close(): void {
    for (const { node, kind, row } of this.#open)
      this.#context.problems.add(
        'unmatched-begin',
        `The ${kind} '${node.name}' is never closed. Add a row end_${kind} after its last question.`,
        { sheet: 'survey', row, column: 'type', value: `begin_${kind}` },
      )
  }
}
