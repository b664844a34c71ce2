export { type HeadingOptions, headingOf, labelIn, labelOf, plainHeadings, tagOf } from './headings.js'
export { type FormShape, otherSlot, type Slot, serverKeys, shapeOf } from './shape.js'
export { answerColumns, type Column, type ColumnOptions, type EntryCounts, type Place, tableColumns } from './table.js'
export { cutAt, entriesThatFit } from './width.js'
