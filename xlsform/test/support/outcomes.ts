import { readdirSync, readFileSync } from 'node:fs'
import type { CompiledForm } from '../../src/compile-sheets.js'
import { type Problem, XlsFormError } from '../../src/problems.js'

/** What compiling came to, mistakes included: to be compared. */
export type Outcome = CompiledForm | { problems: Problem[] }

const inWords = (error: unknown): Outcome => {
  if (error instanceof XlsFormError) return { problems: error.problems }
  throw error
}

export const outcomeOf = (compile: () => CompiledForm): Outcome => {
  try {
    return compile()
  } catch (error) {
    return inWords(error)
  }
}

export const laterOutcomeOf = (compile: () => Promise<CompiledForm>): Promise<Outcome> => compile().catch(inWords)

const folder = `${import.meta.dirname}/../corpus/`

/** Name and bytes of every form of the corpus. */
export const corpus: [name: string, bytes: Uint8Array][] = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => [name, new Uint8Array(readFileSync(folder + name))])
