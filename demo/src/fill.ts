// Fills an empty server with the example, from outside, as people and phones would.

import type { Tell } from '@sheaf/harness'
import { type HouseholdRecord, householdRecords } from '@sheaf/server/example'
import {
  addDataview,
  addServices,
  addWidgets,
  exportOnce,
  householdWidgets,
  reviewAll,
  waterWidgets,
} from './around.js'
import { makePeople, type People } from './people.js'
import { makeProjects, type Projects } from './projects.js'
import type { Receiver } from './receiver.js'
import { sendAll, type ToSend } from './sending.js'
import { waterRecords } from './water-records.js'

export interface Filling {
  readonly address: string
  readonly setupCode: string
  readonly receiver: Receiver
  readonly seed: number
  /** Records of both forms. */
  readonly records: number
  readonly tell: Tell
}

export interface Filled extends Projects {
  readonly people: People
}

const days = 150
/** Those that come last are forwarded. */
const forwarded = 0.06

const senderOf = ({ joseph, grace, amina }: People, enumerator: string) =>
  ({ akinyi: grace, nafula: grace, otieno: joseph, chebet: joseph })[enumerator] ?? amina

const toSend = (people: People, record: HouseholdRecord): ToSend => ({
  ...record,
  by: senderOf(people, record.enumerator),
})

const corrections = ({ joseph }: People, records: readonly HouseholdRecord[]): ToSend[] =>
  records.flatMap(({ instanceId, submitted, correction }) =>
    correction === undefined ? [] : [{ ...correction, replaces: instanceId, submitted, pictures: [], by: joseph }],
  )

export const fill = async ({ address, setupCode, receiver, seed, records, tell }: Filling): Promise<Filled> => {
  const now = new Date()
  tell(0.01, 'people: three accounts and an organization')
  const people = await makePeople(address, setupCode)
  tell(0.03, 'projects: two, with a form each')
  const projects = await makeProjects(address, people)
  const { households, water } = projects
  await addWidgets(people.amina, households, householdWidgets)
  await addWidgets(people.amina, water, waterWidgets)
  await addDataview(people.amina, households)
  const waterCount = Math.round(records / 4)
  const count = records - waterCount
  const visits = householdRecords({ seed, now, days, count, photos: 5 })
  const inspections = waterRecords({ seed: seed + 1, now, days, count: waterCount, photos: 14 })
  let sent = 0
  const onSent = (what: string) => () => {
    sent += 1
    tell(
      0.05 + (0.8 * sent) / records,
      `${what}: ${sent.toLocaleString('en')} of ${records.toLocaleString('en')} records`,
    )
  }
  await sendAll(
    water,
    inspections.map((record, at) => ({ ...record, by: at % 3 === 0 ? people.grace : people.joseph })),
    onSent('inspections'),
  )
  const last = Math.round(visits.length * (1 - forwarded))
  await sendAll(
    households,
    visits.slice(0, last).map((record) => toSend(people, record)),
    onSent('households'),
  )
  tell(0.86, 'rest services: one that works, one that is down')
  await addServices(people.amina, households, receiver)
  await sendAll(
    households,
    visits.slice(last).map((record) => toSend(people, record)),
    onSent('households'),
  )
  tell(0.9, 'corrections of what was wrong')
  await sendAll(households, corrections(people, visits), () => undefined)
  tell(0.93, 'reviews, labels and notes')
  await reviewAll(people, households, visits)
  tell(0.97, 'an export')
  await exportOnce(people.amina, households)
  tell(1, 'done')
  return { people, ...projects }
}
