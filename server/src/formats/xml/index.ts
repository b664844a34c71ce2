export { batchEnd, batchItem, batchStart, rootElementOf, type XmlRecord } from './batch.js'
export { escapeAttribute, escapeText } from './text.js'
