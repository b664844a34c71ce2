// What a text is. English is the source: its keys and parameters are types, so that a key that a language lacks, or a parameter
// that a caller forgets, does not compile.

/** Forms of one text by number: `{ one: '{n} form', other: '{n} forms' }`. The number is always called `n`. */
export type Plural = { readonly other: string } & { readonly [rule in Exclude<Intl.LDMLPluralRule, 'other'>]?: string }

export type Text = string | Plural

export type Entries = { readonly [key: string]: Text }

export interface Catalogue<T extends Entries = Entries> {
  readonly name: string
  readonly entries: T
}

/** Names in braces: `'{who} shared {what}'` has `who` and `what`. */
type Named<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never

/** A number is written by the person's locale, whatever its name. */
export type Value = string | number

export type Parameters<T extends Text> = T extends string
  ? { readonly [name in Named<T>]: Value }
  : T extends { readonly other: infer S extends string }
    ? { readonly [name in Exclude<Named<S>, 'n'>]: Value } & { readonly n: number }
    : never

/** Nothing more to give where a text has no parameters. */
export type Given<T extends Text> = keyof Parameters<T> extends never ? [] : [parameters: Parameters<T>]

/** The English texts of one page or part; `name` is that of the file. */
export const english = <const T extends Entries>(name: string, entries: T): Catalogue<T> => ({ name, entries })

type Translated<T extends Entries> = { readonly [key in keyof T]: T[key] extends string ? string : Plural }

/** The same texts in another language. */
export const translation = <C extends Catalogue>(entries: Translated<C['entries']>): Entries => entries as Entries

/** The names in a text, for those who compare texts. */
export const namesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()

/** A text with its names replaced. What is put in is never read for names again. */
export const fill = (text: string, values: Readonly<Record<string, Value>>, show: (value: Value) => string): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? show(values[name] ?? '') : whole))

/** The form of a plural text for a number. */
export const chosenForm = (text: Plural, n: number, rules: Intl.PluralRules): string =>
  text[rules.select(n)] ?? text.other
