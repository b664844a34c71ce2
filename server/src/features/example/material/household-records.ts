// Believable households: what they own, drink and eat goes together, and gets a little better from month to month. Some
// answers are wrong, as they are in the field.
import { type Chance, chanceOf } from './chance.js'
import type { Answers } from './instance.js'
import { enumerators, familyName, firstName, type Sex, someTown, spotNear, spotText } from './region.js'
import { houseScene, type Roof, type Source, waterScene } from './scenes.js'
import { dayText, momentText, type Visit, visitsBefore } from './times.js'

export interface Picture {
  readonly name: string
  /** Its SVG: drawn when it is wanted, since most of the time goes into it. */
  draw(): string
}

export interface Review {
  readonly status: 'approved' | 'rejected'
  readonly comment?: string
}

export interface HouseholdRecord {
  readonly instanceId: string
  readonly enumerator: string
  readonly submitted: Date
  readonly answers: Answers
  readonly pictures: readonly Picture[]
  readonly review?: Review
  readonly tags: readonly string[]
  /** What somebody at the office made of it afterwards. */
  readonly correction?: { readonly instanceId: string; readonly answers: Answers }
}

export interface Wanted {
  readonly seed: number
  readonly now: Date
  readonly days: number
  readonly count: number
  /** Of a hundred houses. */
  readonly photos: number
}

interface Member {
  readonly relation: string
  readonly sex: Sex
  readonly age: number
}

const aged = (chance: Chance, middle: number, spread: number, low: number): number =>
  Math.max(low, Math.round(middle + chance.bell() * spread))

const membersOf = (chance: Chance): Member[] => {
  const isWoman = chance.inHundred(34)
  const age = aged(chance, 44, 13, 19)
  const head: Member = { relation: 'head', sex: isWoman ? 'female' : 'male', age }
  const spouse: Member[] = chance.inHundred(isWoman ? 18 : 82)
    ? [{ relation: 'spouse', sex: isWoman ? 'male' : 'female', age: aged(chance, isWoman ? age + 4 : age - 5, 4, 18) }]
    : []
  const children = Array.from({ length: chance.between(0, age < 26 ? 2 : age < 60 ? 5 : 2) }, () => ({
    relation: 'child',
    sex: chance.oneOf(['female', 'male'] as const),
    age: Math.max(0, Math.min(age - 18, chance.between(0, 19))),
  }))
  const others: Member[] = chance.inHundred(21)
    ? [{ relation: chance.oneOf(['parent', 'other']), sex: 'female', age: aged(chance, 66, 8, 45) }]
    : []
  return [head, ...spouse, ...children, ...others]
}

const schooling = (chance: Chance, age: number, wealth: number): Answers => {
  if (age < 6 || age > 17) return {}
  const goes = chance.inHundred(80 + wealth * 18 - (age > 14 ? 14 : 0))
  if (goes) return { school: 'yes' }
  return { school: 'no', why_not: chance.weighted({ fees: 5, work: 3, distance: 2, ill: 1 }) }
}

/** From 0, poor, to 1; and from the first day to the last. */
const waterOf = (chance: Chance, wealth: number, progress: number): Source =>
  chance.weighted({
    piped: 0.2 + wealth * wealth * 4,
    standpipe: 1.2 + progress * 1.8,
    borehole: 1.4,
    spring: 1,
    rain: 0.5,
    river: Math.max(0.1, 2.2 - wealth * 1.8 - progress * 1.2),
  })

const minutesTo: Readonly<Record<Exclude<Source, 'piped'>, number>> = {
  standpipe: 11,
  borehole: 18,
  spring: 24,
  rain: 3,
  river: 32,
}

const some = (chance: Chance, likely: Readonly<Record<string, number>>): string[] =>
  Object.entries(likely)
    .filter(([, percent]) => chance.inHundred(percent))
    .map(([name]) => name)

const treatmentOf = (chance: Chance, wealth: number, progress: number): string => {
  const chosen = some(chance, { boil: 30 + wealth * 25, chlorine: 12 + progress * 34, filter: wealth * 16, sun: 5 })
  return chosen.length === 0 ? 'nothing' : chosen.join(' ')
}

const assetsOf = (chance: Chance, wealth: number): string =>
  some(chance, {
    phone: 70 + wealth * 28,
    radio: 48 + wealth * 20,
    solar: 18 + wealth * 40,
    bicycle: 22 + wealth * 14,
    tv: wealth * 62,
    motorbike: wealth * 24,
    livestock: 34,
  }).join(' ')

const remarks = [
  'Well maintained compound.',
  'The well dries out in January.',
  'Asked to come back in the evening.',
  'Children were at home because of a teachers’ meeting.',
  'The path floods after rain.',
  'Household moved here last year.',
]

interface Draft {
  readonly answers: Record<string, Answers[string]>
  readonly pictures: readonly Picture[]
}

const numbered = (stem: string, number: number): string => `${stem}_${String(number).padStart(4, '0')}.jpg`

const refusalOf = (chance: Chance, head: Record<string, Answers[string]>): Draft => ({
  answers: {
    ...head,
    visit: { ...(head.visit as Answers), consent: 'no', refusal: chance.oneOf(['no_time', 'no_trust', 'nobody']) },
  },
  pictures: [],
})

const householdOf = (chance: Chance, visit: Visit, number: number, photos: number): Draft => {
  const town = someTown(chance)
  const village = chance.oneOf(town.villages)
  const enumerator = chance.oneOf(enumerators).name
  const isPlaced = chance.inHundred(97)
  const head = {
    start: momentText(visit.start),
    end: momentText(visit.end),
    today: dayText(visit.start),
    visit: {
      enumerator,
      subcounty: town.name,
      village,
      place: isPlaced ? spotText(spotNear(chance, town, village)) : '',
      house_photo: '',
      consent: 'yes',
    },
  }
  if (chance.inHundred(4)) return refusalOf(chance, head)
  const wealth = Math.min(1, Math.max(0, 0.42 + chance.bell() * 0.2 + (town.name === 'kisumu_east' ? 0.12 : 0)))
  const members = membersOf(chance)
  const family = familyName(chance)
  const named = members.map(({ sex }) => `${firstName(chance, sex)} ${family}`)
  const roof: Roof = wealth > 0.78 ? 'tiles' : wealth > 0.24 ? 'iron' : 'thatch'
  const water = waterOf(chance, wealth, visit.progress)
  const hasHouse = chance.inHundred(photos)
  const hasWater = water !== 'piped' && chance.inHundred(photos / 3)
  const [house, source] = [numbered('house', number), numbered('water', number)]
  const look = chance.between(0, 2 ** 32 - 1)
  const minutes = water === 'piped' ? '' : String(Math.max(1, Math.round(minutesTo[water] * (0.5 + chance.next()))))
  return {
    answers: {
      ...head,
      visit: { ...head.visit, house_photo: hasHouse ? house : '' },
      household: {
        head_name: named[0] as string,
        phone: `07${chance.between(10_000_000, 29_999_999)}`,
        rooms: String(1 + Math.round(wealth * 3 + chance.next())),
        roof,
      },
      member: members.map(({ relation, sex, age }, at) => ({
        member_name: named[at] as string,
        relation,
        sex,
        age: String(age),
        ...schooling(chance, age, wealth),
      })),
      members: String(members.length),
      water: {
        water_source: water,
        water_minutes: minutes,
        water_photo: hasWater ? source : '',
        treatment: treatmentOf(chance, wealth, visit.progress),
        toilet: wealth > 0.8 ? 'flush' : chance.weighted({ improved: 1 + wealth * 4, open_pit: 1.6, none: 0.3 }),
      },
      living: {
        assets: assetsOf(chance, wealth),
        acres: (Math.abs(chance.bell()) * 1.1 + wealth * 1.4).toFixed(1),
        meals: String(chance.weighted({ '1': 1.4 - wealth, '2': 3, '3': 2 + wealth * 4 })),
        worry: chance.weighted({ never: 1 + wealth * 5, sometimes: 3, often: 2.2 - wealth * 2 }),
        remarks: chance.inHundred(12) ? chance.oneOf(remarks) : '',
      },
    },
    pictures: [
      ...(hasHouse ? [{ name: house, draw: () => houseScene(chanceOf(look), roof) }] : []),
      ...(hasWater ? [{ name: source, draw: () => waterScene(chanceOf(look), water) }] : []),
    ],
  }
}

interface Slip {
  readonly group: 'household' | 'water' | 'living'
  readonly question: string
  readonly wrong: string
  readonly right: string
  readonly comment: string
}

/** What goes wrong in the field: a digit too many, another unit, a number that cannot be. */
const slips: readonly Slip[] = [
  { group: 'household', question: 'rooms', wrong: '33', right: '3', comment: 'Thirty-three rooms? Please ask again.' },
  { group: 'water', question: 'water_minutes', wrong: '600', right: '60', comment: 'Ten hours for water?' },
  { group: 'living', question: 'acres', wrong: '250', right: '2.5', comment: 'A decimal point is missing.' },
  { group: 'living', question: 'meals', wrong: '11', right: '1', comment: 'Eleven meals in one day.' },
  { group: 'household', question: 'phone', wrong: '712', right: '0712004512', comment: 'The phone number is cut off.' },
]

const withAnswer = (answers: Answers, { group, question }: Slip, text: string): Answers => ({
  ...answers,
  [group]: { ...(answers[group] as Answers), [question]: text },
})

const reviewOf = (chance: Chance, visit: Visit): Review | undefined => {
  // The newest ones wait.
  if (visit.progress > 0.93 || chance.inHundred(14)) return undefined
  return { status: 'approved' }
}

const recordOf = (chance: Chance, visit: Visit, number: number, photos: number): HouseholdRecord => {
  const { answers, pictures } = householdOf(chance, visit, number, photos)
  const instanceId = chance.uuid()
  const { enumerator, consent } = answers.visit as { enumerator: string; consent: string }
  const plain = { instanceId, enumerator, submitted: visit.submitted, answers, pictures, tags: [] }
  if (consent === 'no') return { ...plain, tags: ['refused'] }
  const slip = chance.inHundred(5) ? chance.oneOf(slips) : undefined
  if (slip === undefined || (slip.question === 'water_minutes' && (answers.water as Answers).water_minutes === '')) {
    const review = reviewOf(chance, visit)
    return { ...plain, ...(review && { review }), tags: chance.inHundred(5) ? ['revisit'] : [] }
  }
  const wrong = withAnswer(answers, slip, slip.wrong)
  if (chance.inHundred(45)) {
    return { ...plain, answers: wrong, review: { status: 'rejected', comment: slip.comment }, tags: ['check'] }
  }
  const correction = { instanceId: chance.uuid(), answers: withAnswer(answers, slip, slip.right) }
  return { ...plain, answers: wrong, correction, review: { status: 'approved' }, tags: ['corrected'] }
}

/** The earliest first. */
export const householdRecords = ({ seed, now, days, count, photos }: Wanted): HouseholdRecord[] => {
  const chance = chanceOf(seed)
  const visits = visitsBefore(chance, now, days, count)
  return visits.map((visit, at) => recordOf(chance, visit, at + 1, photos))
}
