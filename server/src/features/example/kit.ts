// What the demo is made of, too: the same forms, records and pictures, sent from outside.
export { drawPicture } from '../attachments/index.js'
export * from './material/index.js'
export { workbookOf } from './workbook.js'
