/** One change of one rule. */
export interface Mutant {
  /** From 1: none is 0. */
  readonly id: number
  /** From the root of the sources' project, with slashes. */
  readonly file: string
  readonly line: number
  /** All of the line, to know it again when others were added above it. */
  readonly lineText: string
  /** What is replaced, by which text. */
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** The same for people: the part that differs, on one line. */
  readonly before: string
  readonly after: string
  /** It is evaluated when the module is loaded: no switch can turn it on later. */
  readonly isAtLoad: boolean
}

export type Change = Pick<Mutant, 'start' | 'end' | 'replacement' | 'before' | 'after'>

const longest = 120

export const onOneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

export const nameOf = ({ file, line, before, after }: Mutant): string =>
  `${file}:${line}  ${before} → ${after === '' ? '(nothing)' : after}`
