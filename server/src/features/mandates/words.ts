// What owners read. One paragraph for each form or project and person, with what has stopped below it.
import { shortened } from '@sheaf/xlsform/text'
import { budgets } from '../../budgets.js'
import { type Lapsed, lossOf } from '../permissions/index.js'

/** What one person lost by one right, in one place. */
export interface Loss {
  readonly target: Lapsed['target']
  readonly name: string
  readonly things: readonly [Lapsed, ...Lapsed[]]
}

const longestName = 100

const sentence = ({ name, things: [{ actor, right, target }] }: Loss): string => {
  // A name stands as it is.
  const words = lossOf(actor, right).replace(/^the /, 'The ')
  const place = `${target.type === 'xform' ? 'form' : 'project'} "${shortened(name, longestName)}"`
  return `${words}. What acted for them in the ${place} has stopped:`
}

const list = ({ things }: Loss, lineOf: (thing: Lapsed) => string): string => {
  const shown = things.slice(0, budgets.mandates.linesTold)
  const more = things.length - shown.length
  return [...shown.map((thing) => `- ${lineOf(thing)}`), ...(more > 0 ? [`- and ${more} more of this kind`] : [])].join(
    '\n',
  )
}

export const eventText = (loss: Loss): string => `${sentence(loss)}\n${list(loss, ({ line }) => line)}`

export const mailText = (losses: readonly Loss[]): string => {
  const parts = losses.map((loss) => `${sentence(loss)}\n\n${list(loss, ({ line, ownersLine = line }) => ownersLine)}`)
  return `Hello,\n\n${parts.join('\n\n')}\n`
}

export const mailSubject = (losses: readonly Loss[]): string => {
  const names = new Set(losses.map(({ name }) => name))
  const [only] = names
  return names.size === 1 ? `Something of "${shortened(only ?? '', longestName)}" has stopped` : 'Something has stopped'
}
