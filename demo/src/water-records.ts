// Believable inspections: each water point is visited again and again, and more of them work as the months go by.
import {
  type Answers,
  type Chance,
  chanceOf,
  dayText,
  enumerators,
  momentText,
  type Picture,
  type Source,
  someTown,
  spotNear,
  spotText,
  type Town,
  type Visit,
  visitsBefore,
  waterScene,
} from '@sheaf/server/example'

export interface WaterRecord {
  readonly instanceId: string
  readonly submitted: Date
  readonly answers: Answers
  readonly pictures: readonly Picture[]
}

interface Point {
  readonly name: string
  readonly town: Town
  readonly place: string
  readonly kind: Exclude<Source, 'piped' | 'river'>
  readonly users: number
}

const pointOf = (chance: Chance, number: number): Point => {
  const town = someTown(chance)
  const village = chance.oneOf(town.villages)
  return {
    name: `${village} ${number}`,
    town,
    place: spotText(spotNear(chance, town, village)),
    kind: chance.weighted({ standpipe: 4, borehole: 3, spring: 2, rain: 1 }),
    users: chance.between(12, 140),
  }
}

const parts = { standpipe: 'tap', borehole: 'pump', spring: 'fence', rain: 'pipe' } as const

const damageOf = (chance: Chance, { kind }: Point): Answers[] =>
  Array.from({ length: chance.between(1, 3) }, (_, at) => ({
    part: at === 0 ? parts[kind] : chance.oneOf(['pipe', 'drain', 'fence']),
    urgency: chance.weighted({ now: 2, month: 3, later: 2 }),
    cost: String(chance.between(4, 90) * 100),
  }))

const recordOf = (chance: Chance, visit: Visit, number: number, point: Point, photos: number): WaterRecord => {
  const state = chance.weighted({
    works: 2 + visit.progress * 3.4,
    partly: 1.5,
    broken: Math.max(0.25, 1.5 - visit.progress * 1.2),
  })
  const photo = chance.inHundred(photos) ? `point_${String(number).padStart(4, '0')}.jpg` : ''
  const look = chance.between(0, 2 ** 32 - 1)
  const repaired = new Date(visit.start.getTime() - chance.between(3, 400) * 86_400_000)
  // Now and then somebody writes litres an hour.
  const flow = (8 + Math.abs(chance.bell()) * 9) * (state === 'partly' ? 0.45 : 1) * (chance.inHundred(1) ? 60 : 1)
  return {
    instanceId: chance.uuid(),
    submitted: visit.submitted,
    answers: {
      start: momentText(visit.start),
      end: momentText(visit.end),
      point: {
        inspector: chance.oneOf(enumerators).name,
        name: point.name,
        subcounty: point.town.name,
        place: point.place,
        kind: point.kind,
        photo,
      },
      working: {
        state,
        flow: state === 'broken' ? '' : flow.toFixed(1),
        users: String(Math.max(3, point.users + chance.between(-6, 6))),
        repaired: dayText(repaired),
      },
      ...(state !== 'works' && { damage: damageOf(chance, point) }),
      remarks: chance.inHundred(8)
        ? chance.oneOf(['Queue of an hour in the morning.', 'The committee collects fees.'])
        : '',
    },
    pictures: photo === '' ? [] : [{ name: photo, draw: () => waterScene(chanceOf(look), point.kind) }],
  }
}

export interface Wanted {
  readonly seed: number
  readonly now: Date
  readonly days: number
  readonly count: number
  readonly photos: number
}

export const waterRecords = ({ seed, now, days, count, photos }: Wanted): WaterRecord[] => {
  const chance = chanceOf(seed)
  const points = Array.from({ length: 90 }, (_, at) => pointOf(chance, at + 1))
  return visitsBefore(chance, now, days, count).map((visit, at) =>
    recordOf(chance, visit, at + 1, chance.oneOf(points), photos),
  )
}
