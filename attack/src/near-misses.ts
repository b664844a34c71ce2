// Texts that nearly are something: what makes a pattern go back and try again. A unit is repeated; before and after it stands
// what lets it begin, and what makes it fail in the end.
import type { Chance } from '@sheaf/harness'

export interface NearMiss {
  readonly head: string
  readonly unit: string
  readonly tail: string
}

export const nearMiss = ({ head, unit, tail }: NearMiss, units: number): string => head + unit.repeat(units) + tail

export const recipeOf = ({ head, unit, tail }: NearMiss, units: number): string =>
  `${JSON.stringify(head)}+${JSON.stringify(unit)}.repeat(${units})+${JSON.stringify(tail)}`

/** These come first, whatever is drawn: one of each kind of thing that a server looks for in a text. */
const always: readonly NearMiss[] = [
  { head: '', unit: '0', tail: 'x 1' },
  { head: '-1', unit: ' 11', tail: ' x' },
  { head: '', unit: ' ', tail: 'x' },
  { head: '', unit: '1 2 3 4;', tail: 'x' },
  { head: '1', unit: '.1', tail: 'x' },
  { head: 'a', unit: '@a.', tail: '!' },
  { head: '{"a":', unit: '[', tail: '' },
  { head: '[', unit: '"a",', tail: '' },
  { head: '', unit: '(', tail: '' },
  { head: '2026-01-10T', unit: '00:', tail: 'x' },
]

const heads = ['', '-', '+1', '1', 'a', '"', '{', 'http://', '2026-', '=', '(']
const units = [
  '0',
  '1',
  ' ',
  '\t',
  '\n',
  '.',
  ',',
  ';',
  '-',
  '+',
  '_',
  '/',
  '\\',
  '"',
  "'",
  'a',
  'A1',
  'é',
  '💣',
  '%',
  '$',
  '&',
  '=',
  '<',
  '(',
  ')',
  '[',
  '{',
  'a ',
  '1 ',
  ' 11',
  '0.',
  '1e',
  '-1 ',
  '1:',
  'a=',
  'a.',
  'a/',
  'aa',
  '\u0024{a}',
  '\ufeff',
  '\u200b',
  '%41',
]
const tails = ['', 'x', '!', ' x', '1', '\n', '\0', '}', '"', ' 1']

export const nearMisses = (chance: Chance, count: number): NearMiss[] => [
  ...always,
  ...Array.from({ length: count }, () => ({
    head: chance.oneOf(heads),
    unit: chance.oneOf(units),
    // PostgreSQL keeps no NUL: such a text is refused before any pattern sees it.
    tail: chance.oneOf(tails.filter((one) => one !== '\0')),
  })),
]
