export { type CompiledForm, type CompileOptions, compile } from './compile.js'
export * from './form.js'
export { parseXForm } from './parse/parse-xform.js'
