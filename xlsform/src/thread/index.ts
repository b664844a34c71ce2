export { type FormCompiler, type FormCompilerOptions, openFormCompiler } from './thread.js'
