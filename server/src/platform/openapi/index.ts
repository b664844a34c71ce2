export { ApiDescription, type Document } from './description.js'
export { type Asset, DocumentationPages, docsPolicy } from './page.js'
export { pathOf } from './parameters.js'
