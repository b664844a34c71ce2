import type { ProblemList } from '../problems.js'
import { truthExpression } from '../settings.js'
import type { FormNode, Source } from '../survey/node.js'
import type { Row, Table } from '../tables/table.js'
import { isPlainName } from '../xml/names.js'

/** One row of the entities sheet: a list and when the form creates or updates entities in it. */
export interface EntityList {
  dataset: string
  row: number
  label: Source | null
  entityId: Source | null
  createIf: Source | null
  updateIf: Source | null
  repeat: Source | null
  creates: boolean
  updates: boolean
  /** Questions whose answers become properties. */
  savedNodes: FormNode[]
}

const cell = (row: Row, key: string): Source | null => {
  const text = row.get(key)
  return text === undefined ? null : { text, sheet: 'entities', row: row.number, column: row.header(key) }
}

/** A condition: `yes` and the cell TRUE are as good as `true()`. */
const condition = (row: Row, key: string): Source | null => {
  const source = cell(row, key)
  return source === null ? null : { ...source, text: truthExpression(source.text) }
}

export const readEntityLists = (table: Table | undefined, problems: ProblemList): EntityList[] => {
  const lists: EntityList[] = []
  const seen = new Set<string>()
  for (const row of table?.rows ?? []) {
    const list = readList(row, problems)
    if (list === undefined) continue
    if (seen.has(list.dataset))
      problems.add(
        'duplicate-entity-list',
        `The entity list '${list.dataset}' is declared twice. Keep one row per list.`,
        {
          sheet: 'entities',
          row: row.number,
          column: row.header('list_name'),
          value: list.dataset,
        },
      )
    seen.add(list.dataset)
    lists.push(list)
  }
  return lists
}

const readList = (row: Row, problems: ProblemList): EntityList | undefined => {
  const dataset = row.get('list_name')
  const place = { sheet: 'entities', row: row.number, column: row.header('list_name'), value: dataset ?? null }
  if (dataset === undefined) {
    problems.add('missing-entity-list', 'The row names no entity list. Fill the column list_name.', place)
    return undefined
  }
  if (!isPlainName(dataset) || dataset.startsWith('__') || dataset.includes('.'))
    problems.add(
      'invalid-entity-list',
      `'${dataset}' cannot name an entity list. Use letters, digits and '_', a letter first, no '.' and no '__' in front.`,
      place,
    )
  const list = {
    dataset,
    row: row.number,
    label: cell(row, 'label'),
    entityId: cell(row, 'entity_id'),
    createIf: condition(row, 'create_if'),
    updateIf: condition(row, 'update_if'),
    repeat: cell(row, 'repeat'),
    savedNodes: [],
  }
  checkConditions(list, problems)
  const updates = list.entityId !== null
  return { ...list, updates, creates: !updates || list.createIf !== null }
}

const checkConditions = (
  list: Pick<EntityList, 'dataset' | 'row' | 'label' | 'entityId' | 'createIf' | 'updateIf'>,
  problems: ProblemList,
): void => {
  const place = { sheet: 'entities', row: list.row, value: list.dataset }
  if (list.entityId === null && list.updateIf !== null)
    problems.add(
      'entity-needs-id',
      `update_if needs an entity_id: it says which entity of '${list.dataset}' to update.`,
      {
        ...place,
        column: 'entity_id',
      },
    )
  if (list.entityId !== null && list.createIf !== null && list.updateIf === null)
    problems.add('entity-needs-update-if', 'create_if next to an entity_id needs an update_if as well.', {
      ...place,
      column: 'update_if',
    })
  if (list.entityId === null && list.label === null)
    problems.add('entity-needs-label', `Entities of '${list.dataset}' need a label, such as \${name}.`, {
      ...place,
      column: 'label',
    })
}

/** Connects save_to cells with their lists and leaves the bare property name on each question. */
export const readSaveTo = (root: FormNode, lists: readonly EntityList[], problems: ProblemList): void => {
  const byName = new Map(lists.map((list) => [list.dataset, list]))
  const used = new Set<string>()
  const visit = (node: FormNode): void => {
    const source = node.bind.get('entities:saveto')
    if (source !== undefined && node.kind === 'question') {
      const found = readProperty(source, lists, byName, problems)
      if (found !== undefined) {
        const key = `${found.list.dataset}#${found.property}`
        if (used.has(key))
          problems.add(
            'duplicate-save-to',
            `Two questions are saved to '${found.property}' of '${found.list.dataset}'.`,
            {
              ...source,
              value: source.text,
            },
          )
        used.add(key)
        found.list.savedNodes.push(node)
        node.bind.set('entities:saveto', { ...source, text: found.property })
      }
    }
    for (const child of node.children) visit(child)
  }
  visit(root)
}

const readProperty = (
  source: Source,
  lists: readonly EntityList[],
  byName: ReadonlyMap<string, EntityList>,
  problems: ProblemList,
): { list: EntityList; property: string } | undefined => {
  const report = (code: string, message: string): undefined => {
    problems.add(code, message, { ...source, value: source.text })
  }
  const [only] = lists
  if (only === undefined)
    return report('save-to-without-entities', 'save_to needs a sheet entities with the columns list_name and label.')
  const hash = source.text.indexOf('#')
  if (hash === -1 && lists.length > 1)
    return report(
      'save-to-needs-list',
      `The form has several entity lists. Write list#property, such as ${only.dataset}#${source.text}.`,
    )
  const listName = hash === -1 ? only.dataset : source.text.slice(0, hash)
  const property = source.text.slice(hash + 1)
  const list = byName.get(listName)
  if (list === undefined)
    return report('unknown-entity-list', `No entity list is named '${listName}'.${problems.hint(listName, byName)}`)
  if (/^(name|label)$/i.test(property))
    return report('reserved-property', `'${property}' is reserved for entities. Save to another property.`)
  if (!isPlainName(property) || property.startsWith('__'))
    return report(
      'invalid-property',
      `'${property}' cannot name a property. Use letters, digits and '_', a letter first, no '__' in front.`,
    )
  return { list, property }
}
