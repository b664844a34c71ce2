// Fields that a query or a sort names and that nothing has. Without this a typing error looks like an empty list.
import { cutTo } from '@sheaf/xlsform/text'
import { type FormShape, serverKeys } from '../../../formats/columns/index.js'
import { builtinKeys, hintFor, QueryFault, type Target } from '../../../formats/query/index.js'
import type { Db } from '../../../platform/db/index.js'
import { builtinFields } from '../../submissions/index.js'
import type { SeenForm } from './access.js'
import { unknownField } from './selection.errors.js'
import { isHeld } from './unknown-fields.queries.js'

/** What a query may ask of any record. */
const queryableKeys: ReadonlySet<string> = new Set(builtinKeys)
/** What every record shows, queryable or not. */
const shownFields: ReadonlySet<string> = new Set(builtinFields)

/** What devices and this server write, whether the form names it or not. */
const writtenKeys: ReadonlySet<string> = new Set(['meta/instanceID', 'meta/instanceName', ...serverKeys])

const isKnown = (key: string, shape: FormShape): boolean =>
  queryableKeys.has(key) || writtenKeys.has(key) || shape.slotsOf(key).length > 0 || shape.hasRepeat(key)

const namesIn = ({ questions, meta, repeats }: FormShape): string[] => [
  ...[...questions, ...meta, ...repeats].map(({ key }) => key),
  ...builtinKeys,
]

interface Named {
  readonly query: ReadonlySet<string>
  readonly sort: ReadonlySet<string>
}

/** What no version of the form asks may still be in records that the caller sees. They are searched for such names, one name
 * after the other, up to the first that no record has. */
export const refuseUnknown = async (db: Db, seen: SeenForm, shape: FormShape, named: Named): Promise<void> => {
  for (const [place, keys] of Object.entries(named)) {
    for (const key of keys) {
      if (isKnown(key, shape)) continue
      if (!shownFields.has(key) && (await isHeld(db, seen, key))) continue
      throw unknownField(place, key, hintFor(key, namesIn(shape)))
    }
  }
}

/** Throws QueryFault for what a record has several of. */
export const sortable = (key: string, target: Target): Target => {
  const isOne =
    target.kind === 'builtin' ? target.type !== 'texts' : target.places.some(({ repeats }) => repeats.length === 0)
  if (!isOne) throw new QueryFault(`A record may have several of ${cutTo(key, 100)}: it gives no order.`)
  return target
}
