// Where somebody who lists records has got to. Records are listed in the order of their changes, which no insert and no edit
// disturbs: what changes later comes later, and what is edited comes again. The shape is that of Aggregate, which Briefcase
// reads to find out which of two cursors is the later one.
import { escapeText } from '../../formats/xml/index.js'

export interface Cursor {
  readonly changeNo: number
  /** Within one change, which may be of many records. */
  readonly id: number
}

export const beginning: Cursor = { changeNo: 0, id: 0 }

/** Blank and `0` are the beginning, as on other servers. Undefined for what is no cursor of this one. */
export const cursorIn = (text: string): Cursor | undefined => {
  const given = text.trim()
  if (given === '' || given === '0') return beginning
  const match = /<uriLastReturnedValue>(\d{1,15})-(\d{1,15})<\/uriLastReturnedValue>/.exec(given)
  return match === null ? undefined : { changeNo: Number(match[1]), id: Number(match[2]) }
}

export const cursorText = ({ changeNo, id }: Cursor, changedAt: Date): string =>
  `<cursor xmlns="http://www.opendatakit.org/cursor"><attributeName>_LAST_UPDATE_DATE</attributeName><attributeValue>${escapeText(
    changedAt.toISOString().replace('Z', '+0000'),
  )}</attributeValue><uriLastReturnedValue>${changeNo}-${id}</uriLastReturnedValue><isForwardCursor>true</isForwardCursor></cursor>`
