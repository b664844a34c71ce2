import type { Static } from '../../platform/schema/index.js'
import type { Block, BlockEntry } from './library.queries.js'
import type { BlockEntryView, BlockView } from './library.schemas.js'

export const blockEntryView = (block: BlockEntry): Static<typeof BlockEntryView> => ({
  id: block.id,
  name: block.name,
  description: block.description,
  questions: block.questions,
  revision: block.revision,
  created_by: block.createdBy,
  created_at: block.createdAt.toISOString(),
  changed_by: block.changedBy,
  changed_at: block.changedAt.toISOString(),
})

export const blockView = (block: Block): Static<typeof BlockView> => ({
  ...blockEntryView(block),
  sheets: block.sheets.map(({ name, rows }) => ({ name, rows: rows.map((row) => [...row]) })),
})
