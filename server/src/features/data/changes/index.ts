// The changes feed: what was created, edited or deleted since a cursor.
export { sendChanges } from './changes.js'
