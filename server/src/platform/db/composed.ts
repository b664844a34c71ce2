// A statement that is composed once and given its values each time: composing one of many parts takes longer than sending it
// (70 µs for the one that stores submissions).
import type { Sql } from './sql.js'

class Place {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const named: ProxyHandler<object> = {
  get: (_, name) => new Place(String(name)),
  ownKeys: () => {
    throw new TypeError('Values of a composed statement are taken by their names: which there are is not known yet')
  },
}

/** `compose` is called once, with what stands for the values: it binds them, and looks at none. */
export const composed = <Values extends object>(compose: (values: Values) => Sql): ((values: Values) => Sql) => {
  const places = new Proxy({}, named) as Values
  let made: { readonly statement: Sql; readonly text: string } | undefined
  return (values) => {
    if (made === undefined) {
      const statement = compose(places)
      made = { statement, text: statement.text }
    }
    const { statement, text } = made
    const given = statement.values.map((value) => (value instanceof Place ? values[value.name as keyof Values] : value))
    return { strings: statement.strings, text, values: given } as unknown as Sql
  }
}
