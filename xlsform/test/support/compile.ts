import { type CompiledForm, type CompileOptions, compile } from '../../src/compile.js'
import { type Problem, XlsFormError } from '../../src/problems.js'
import { text } from './workbooks.js'

/** Compiles a form in the Markdown dialect; lines may be indented. */
export const form = (markdown: string, options: CompileOptions = {}): CompiledForm => compile(text(markdown), options)

/** The XForm of a survey given as its table alone. */
export const xformOf = (markdown: string, options: CompileOptions = {}): string => form(markdown, options).xform

/** The problems of a form that must not compile. */
export const problemsOf = (markdown: string, options: CompileOptions = {}): Problem[] => {
  try {
    form(markdown, options)
  } catch (error) {
    if (error instanceof XlsFormError) return error.problems
    throw error
  }
  throw new Error('The form compiled, but it should not have.')
}

/** The bind of an element, as written. */
export const bindOf = (xform: string, path: string): string | undefined =>
  xform.match(new RegExp(`<bind nodeset="${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"[^>]*/>`))?.[0]

/** The control of an element, as written. */
export const controlOf = (xform: string, path: string): string | undefined => {
  const body = xform.slice(xform.indexOf('<h:body'))
  const name = new RegExp(`<(?!setvalue|odk:set)([\\w:]+) ref="${path}"`).exec(body)?.[1]
  if (name === undefined) return undefined
  const start = body.indexOf(`<${name} ref="${path}"`)
  return body.slice(start, body.indexOf(`</${name}>`, start) + name.length + 3)
}
