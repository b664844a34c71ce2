export { rewriteXForm, type XFormChanges } from './rewrite.js'
