// What a form makes of its project's editors, of people who enter data, and of readers. It decides by three columns of
// the form; clients of this API family see and set it as a metadata entry, which is kept in step.
import type { Db } from '../../../platform/db/index.js'
import { parseRestriction } from '../../permissions/index.js'
import { deleteFormMetadataOfType, insertMetadata, updateFormMetadata } from '../attached/index.js'
import { setRestriction } from '../form/index.js'

export const restrictionType = 'xform_meta_perms'
export const noRestriction = 'editor|dataentry|readonly'

/** Answers the id of the one entry; undefined when the text is no restriction. For managers, under the form's lock. */
export const restrictForm = async (
  tx: Db,
  formId: number,
  text: string,
  createdBy: number,
  now: Date,
): Promise<number | undefined> => {
  const roles = parseRestriction(text)
  if (roles === undefined) return undefined
  await setRestriction(tx, formId, roles, now)
  const entry = { formId, dataType: restrictionType, dataValue: roles.join('|') }
  return (await updateFormMetadata(tx, entry, now)) ?? insertMetadata(tx, { ...entry, createdBy, now })
}

export const liftRestriction = async (tx: Db, formId: number, now: Date): Promise<void> => {
  await setRestriction(tx, formId, parseRestriction(noRestriction) ?? [], now)
  await deleteFormMetadataOfType(tx, formId, restrictionType, now)
}
