// A link acts for whoever made it. What hands nothing on any more stays so until it is linked again, and both sides are told.
import type { Db } from '../../platform/db/index.js'
import { linkIn, stopLinks } from '../forms/index.js'
import type { Lapsed } from '../permissions/index.js'
import { type LostLink, listLostLinks } from './linked-data.queries.js'

const linesOf = ({ dataValue, formId, holder, actor }: LostLink): Lapsed[] => {
  const file = `The file ${linkIn(dataValue)?.filename ?? ''}`
  const line = `${file} of this form's records is not handed out any more. If it is still meant, link it again.`
  const there = `${file}, records of another form, is not handed out any more. If it is still meant, link it again.`
  return [
    { target: { type: 'xform', id: formId }, actor, right: 'may link its records there', line },
    ...(holder === null
      ? []
      : [{ target: holder, actor, right: 'may link the records that a file shows', line: there }]),
  ]
}

/** As many as are asked for at the most; the rest follows. */
export const stopLapsedLinks = async (tx: Db, now: Date, most: number): Promise<Lapsed[]> => {
  const lost = await listLostLinks(tx, most)
  if (lost.length === 0) return []
  const ids = lost.map(({ id }) => id)
  const stopped = new Set(await stopLinks(tx, ids, now))
  return lost.filter(({ id }) => stopped.has(id)).flatMap(linesOf)
}
