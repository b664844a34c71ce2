export { applyChanges } from './apply.js'
export { readPatch } from './changes.js'
export { readDocument, writeDocument } from './document.js'
