// What the value of an entry may be, by its type.
import type { Db } from '../../platform/db/index.js'
import type { Caller } from '../../platform/http/index.js'
import { isWebAddress } from '../../platform/words/index.js'
import { findDataview, findVisibleDefinition, type Link, linkIn } from '../forms/index.js'

const notMedia = "Expecting 'xform [xform id] [media name]' or 'dataview [dataview id] [media name]' or a valid URL."

/** A device asks for the file by its name, so an address must have one. */
const addressFault = (value: string): string | undefined =>
  /\.[A-Za-z0-9]{1,10}$/.test(new URL(value).pathname)
    ? undefined
    : `Cannot get filename from URL ${value}. URL should include the filename e.g http://example.com/data.csv`

const formIdOf = async (db: Db, { source, id }: Link): Promise<number | undefined> =>
  source === 'xform' ? id : (await findDataview(db, id))?.formId

/** Whoever links another form's records hands them on to everybody who may see this form: that takes its manager. */
const linkFault = async (db: Db, caller: Caller, link: Link, value: string): Promise<string | undefined> => {
  const formId = await formIdOf(db, link)
  const form = formId === undefined ? undefined : await findVisibleDefinition(db, caller, formId)
  if (form === undefined) return `Invalid url '${value}'.`
  return form.access.may('manage') ? undefined : 'User has no permission to the dataview.'
}

/** Of an entry without a file. */
export const valueFault = async (
  db: Db,
  caller: Caller,
  dataType: string,
  value: string,
): Promise<string | undefined> => {
  if (dataType === 'media') {
    if (isWebAddress(value)) return addressFault(value)
    const link = linkIn(value)
    return link === undefined ? notMedia : linkFault(db, caller, link, value)
  }
  if (dataType === 'map_layer' && !/^[^|]+\|\|https?:\/\/[^|]+(\|\|.*)?$/i.test(value)) {
    return "Expecting 'name||url||attribution'."
  }
  return dataType === 'external_export' && !/^[^|]+\|https?:\/\/\S+$/i.test(value) ? "Expecting 'name|url'." : undefined
}
