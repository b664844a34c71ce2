export { batchEnd, batchItem, batchStart, rootElementOf, type XmlRecord } from './batch.js'
export { escapeAttribute, escapeText, storable } from './text.js'
