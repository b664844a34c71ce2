export { parseTags, tagsFault, tagsIn } from './tags.js'
export { type MayLeadTo, redirectTargets } from './targets.js'
export { booleanOf, isUrl, isWebAddress, textOf } from './words.js'
