// What is small, and of use to whoever reads or writes answers: loading it loads no compiler.
export { csvCell, quotedCell } from './csv.js'
export { cutTo, shortened } from './cut.js'
export { escapeAttribute, escapeText, storable } from './xml/escape.js'
export { SyntaxFault, type Token, tokenize } from './xpath/tokens.js'
