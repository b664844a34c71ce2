export { deleteNote, insertNotes, notesOfRecord, removedNotes, updateNote } from './notes.queries.js'
export { noteRoutes } from './notes.routes.js'
export { reviewField } from './notes.service.js'
