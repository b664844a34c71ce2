// A form that says itself where it is sent to: phones obey it, also those that came with a key, which is not in that address.
import type { Db } from '../../../platform/db/index.js'
import { isUrl } from '../../../platform/words/index.js'
import { findForm } from '../form/index.js'
import { findXml } from '../versions/index.js'

/** A tag is that long at most; a public key stands in it, too. */
const longestTag = 10_000

/** The address in `<submission action="…">`. */
const actionIn = (xml: string): string | undefined => {
  const begin = xml.search(/<(?:\w{1,20}:)?submission[\s/>]/)
  if (begin === -1) return undefined
  const tag = xml.slice(begin, begin + longestTag)
  return /\saction="([^"]*)"/.exec(tag.slice(0, tag.indexOf('>')))?.[1]
}

const isHereWithoutKey = (action: string, origin: string): boolean => {
  if (!isUrl(action)) return false
  const { host, pathname } = new URL(action)
  return host === new URL(origin).host && !pathname.startsWith('/key/')
}

/** What whoever publishes it should know. */
export const actionWarnings = async (db: Db, formId: number, origin: string): Promise<string[]> => {
  const form = await findForm(db, 0, formId)
  const found = form === undefined ? undefined : await findXml(db, formId, form.versionNumber)
  const action = found === undefined ? undefined : actionIn(found.xml)
  if (action === undefined || !isHereWithoutKey(action, origin)) return []
  return [
    `The form says itself that it is sent to ${action}. Phones with a key obey it and come there without their key. Leave submission_url out.`,
  ]
}
