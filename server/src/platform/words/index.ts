export { parseTags, tagsFault, tagsIn } from './tags.js'
export { booleanOf, isWebAddress } from './words.js'
