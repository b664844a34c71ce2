// What the value of an entry may be, by its type.
import type { Db } from '../../platform/db/index.js'
import { AppError, type Caller, notFound } from '../../platform/http/index.js'
import { isWebAddress } from '../../platform/words/index.js'
import { findDataview, type Link, linkIn, visibleDefinition } from '../forms/index.js'

const notMedia = "Expecting 'xform [xform id] [media name]' or 'dataview [dataview id] [media name]' or a valid URL."

/** A device asks for the file by its name, so an address must have one. */
const addressFault = (value: string): string | undefined =>
  /\.[A-Za-z0-9]{1,10}$/.test(new URL(value).pathname)
    ? undefined
    : `Cannot get filename from URL ${value}. URL should include the filename e.g http://example.com/data.csv`

const formOf = async (db: Db, { source, id }: Link): Promise<string> => {
  if (source === 'xform') return String(id)
  const dataview = await findDataview(db, id)
  if (dataview === undefined) throw notFound()
  return String(dataview.formId)
}

/** Whoever links another form's records hands them on to everybody who may see this form: that takes its manager. */
const linkFault = async (db: Db, caller: Caller, link: Link, value: string): Promise<string | undefined> => {
  const unknown = `Invalid url '${value}'.`
  try {
    const { access } = await visibleDefinition(db, caller, await formOf(db, link))
    return access.may('manage') ? undefined : 'User has no permission to the dataview.'
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return unknown
    throw error
  }
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
