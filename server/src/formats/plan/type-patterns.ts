// What answers of a type look like, as patterns of the database.
import type { Field } from '../form/index.js'

const number = '[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?'
const point = `${number} +${number}( +${number}){0,2}`
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const clock = '[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?'

/** Of one that has files for answers: a text is none. */
const nothing = '^$'

/** null: every text is an answer of the type. Those of selects are told by their choices. */
export const patternOf = (to: Field, from: Field): string | null => {
  switch (to.kind) {
    case 'integer':
      return '^[+-]?[0-9]+$'
    case 'decimal':
      return `^${number}$`
    case 'date':
      return `^${day}$`
    case 'datetime':
      return `^${day}T${clock}$`
    case 'time':
      return `^${clock}$`
    case 'geo':
      return to.type === 'geotrace' || to.type === 'geoshape' ? `^${point}( *; *${point})+ *(; *)?$` : `^${point}$`
    case 'media':
      return from.kind === 'media' ? null : nothing
    default:
      return null
  }
}
