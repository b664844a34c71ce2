export { escapeAttribute, escapeText, storable } from '@sheaf/xlsform/text'
export { batchEnd, batchItem, batchStart, rootElementOf, type XmlRecord } from './batch.js'
export { embedded } from './embedded.js'
