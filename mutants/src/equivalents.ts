// Changes that no test can find, because the program does the same with them; each with its reason.
import { basename } from 'node:path'
import type { Mutant } from './mutant.js'

export interface Equivalent {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly why: string
}

export const equivalents: readonly Equivalent[] = []

export const isEquivalent = ({ file, before, after }: Omit<Mutant, 'id'>): boolean =>
  equivalents.some((one) => one.file === basename(file) && one.before === before && one.after === after)
