// A link acts for whoever made it. What hands nothing on any more stays so until it is linked again, and both sides are told.
import type { Db } from '../../platform/db/index.js'
import type { Lapsed } from '../permissions/index.js'
import { type LostLink, listLostLinks, listSourceStates, stopLinks } from './linked-data.queries.js'
import { linkIn } from './links.js'

/** Whether it still holds, for another reason than its maker, is for the one place that knows the reasons. */
const withoutReason = async (tx: Db, lost: readonly LostLink[]): Promise<LostLink[]> => {
  const sources = lost.flatMap(({ id: entryId, dataValue }) => {
    const link = linkIn(dataValue)
    return link === undefined ? [] : [{ entryId, source: link.source, id: link.id }]
  })
  const held = new Set((await listSourceStates(tx, sources)).map(({ entryId }) => entryId))
  return lost.filter(({ id }) => !held.has(id))
}

const linesOf = ({ dataValue, formId, holder, actor }: LostLink): Lapsed[] => {
  const file = `The file ${linkIn(dataValue)?.filename ?? ''}`
  const line = `${file} of this form's records is not handed out any more. If it is still meant, link it again.`
  const there = `${file}, records of another form, is not handed out any more. If it is still meant, link it again.`
  return [
    { target: { type: 'xform', id: formId }, actor, right: 'manages the form', line },
    ...(holder === null
      ? []
      : [{ target: holder, actor, right: 'manages the form whose records a file shows', line: there }]),
  ]
}

/** In pages: links that hold for another reason are passed over every time. */
export const stopLapsedLinks = async (tx: Db, now: Date, most: number): Promise<Lapsed[]> => {
  const lapsed: Lapsed[] = []
  let page: LostLink[]
  let after = 0
  do {
    page = await listLostLinks(tx, after, most)
    after = page.at(-1)?.id ?? after
    const ended = page.length === 0 ? [] : await withoutReason(tx, page)
    const stopped = new Set(
      await stopLinks(
        tx,
        ended.map(({ id }) => id),
        now,
      ),
    )
    lapsed.push(...ended.filter(({ id }) => stopped.has(id)).flatMap(linesOf))
  } while (page.length === most)
  return lapsed
}
