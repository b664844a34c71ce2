// Events as people would tell them: what one person did in a row is one story.
import type { ProjectEvent } from '@/api/events'

export interface Story {
  /** Of its newest event. */
  readonly id: number
  readonly verb: string
  readonly user: string | null
  readonly formId: number | null
  readonly form: string | null
  /** Of records; a story of many has them all. */
  readonly ids: readonly number[]
  readonly message: string | null
  readonly at: string
}

/** What lies further apart is told twice. */
const togetherMilliseconds = 3_600_000

const belongs = (story: Story, last: ProjectEvent, event: ProjectEvent): boolean =>
  event.verb !== 'message' &&
  event.verb === story.verb &&
  event.user === story.user &&
  event.formid === story.formId &&
  Date.parse(last.timestamp) - Date.parse(event.timestamp) < togetherMilliseconds &&
  event.timestamp.slice(0, 10) === story.at.slice(0, 10)

/** Newest first, as they come. */
export const storiesOf = (events: readonly ProjectEvent[]): Story[] => {
  const stories: Story[] = []
  let last: ProjectEvent | undefined
  for (const event of events) {
    const story = stories.at(-1)
    if (story !== undefined && last !== undefined && belongs(story, last, event)) {
      stories[stories.length - 1] = { ...story, ids: [...new Set([...story.ids, ...event.ids])] }
    } else {
      const { id, verb, user, formid, form, ids, message, timestamp } = event
      stories.push({ id, verb, user, formId: formid, form, ids, message, at: timestamp })
    }
    last = event
  }
  return stories
}

/** By the day where the reader is. */
export const byDay = (stories: readonly Story[]): { day: string; stories: Story[] }[] => {
  const days: { day: string; stories: Story[] }[] = []
  for (const story of stories) {
    const day = new Date(story.at).toDateString()
    const last = days.at(-1)
    if (last?.day === day) last.stories.push(story)
    else days.push({ day, stories: [story] })
  }
  return days
}
