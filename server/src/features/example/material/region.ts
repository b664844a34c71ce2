// The shores of the Winam Gulf in western Kenya: towns with villages around them, and names that people there have.
import type { Chance } from './chance.js'

export interface Town {
  readonly name: string
  readonly label: string
  readonly latitude: number
  readonly longitude: number
  /** How far people live around it, in degrees. */
  readonly reach: number
  /** Of all households. */
  readonly weight: number
  readonly villages: readonly string[]
}

/** A little inland of where the maps put them, so that nobody lives in the lake. */
export const towns: readonly Town[] = [
  {
    name: 'kisumu_east',
    label: 'Kisumu East',
    latitude: -0.082,
    longitude: 34.792,
    reach: 0.022,
    weight: 26,
    villages: ['Manyatta', 'Nyawita', 'Kajulu', 'Mamboleo', 'Chiga'],
  },
  {
    name: 'nyando',
    label: 'Nyando',
    latitude: -0.172,
    longitude: 34.921,
    reach: 0.03,
    weight: 18,
    villages: ['Ahero', 'Kochogo', 'Onjiko', 'Katho'],
  },
  {
    name: 'kisumu_west',
    label: 'Kisumu West',
    latitude: -0.012,
    longitude: 34.603,
    reach: 0.024,
    weight: 16,
    villages: ['Maseno', 'Ekwanda', 'Mariwa', 'Otonglo'],
  },
  {
    name: 'nyakach',
    label: 'Nyakach',
    latitude: -0.291,
    longitude: 34.978,
    reach: 0.028,
    weight: 14,
    villages: ['Katito', 'Pap Onditi', 'Sondu', 'Nyabondo'],
  },
  {
    name: 'muhoroni',
    label: 'Muhoroni',
    latitude: -0.151,
    longitude: 35.199,
    reach: 0.026,
    weight: 12,
    villages: ['Chemelil', 'Koru', 'Miwani', 'Fort Ternan'],
  },
  {
    name: 'rachuonyo_north',
    label: 'Rachuonyo North',
    latitude: -0.383,
    longitude: 34.652,
    reach: 0.026,
    weight: 14,
    villages: ['Kendu Bay', 'Pala', 'Kosele', 'Homa Lime'],
  },
]

export const enumerators: readonly { readonly name: string; readonly label: string }[] = [
  { name: 'akinyi', label: 'Akinyi Odhiambo' },
  { name: 'otieno', label: 'Otieno Ouma' },
  { name: 'chebet', label: 'Chebet Koech' },
  { name: 'wafula', label: 'Wafula Simiyu' },
  { name: 'nafula', label: 'Nafula Barasa' },
]

const womens = [
  ...['Achieng', 'Adhiambo', 'Akinyi', 'Akoth', 'Anyango', 'Apiyo', 'Atieno', 'Awino', 'Awuor', 'Chebet'],
  ...['Chepkoech', 'Grace', 'Faith', 'Lilian', 'Mercy', 'Nafula', 'Nekesa', 'Rose', 'Ruth', 'Wanjiku'],
]
const mens = [
  ...['Barasa', 'Daniel', 'Felix', 'George', 'Juma', 'Kevin', 'Kiprono', 'Kiptoo', 'Moses', 'Ochieng'],
  ...['Odhiambo', 'Okoth', 'Omondi', 'Onyango', 'Opiyo', 'Otieno', 'Peter', 'Samuel', 'Wafula', 'Wekesa'],
]
const families = [
  ...['Odhiambo', 'Otieno', 'Ouma', 'Owino', 'Okello', 'Ogutu', 'Oduor', 'Onyango', 'Omondi', 'Awuor'],
  ...['Koech', 'Barasa', 'Simiyu', 'Wanyama', 'Kamau', 'Mwangi', 'Rotich', 'Cheruiyot', 'Njoroge', 'Obura'],
]

export type Sex = 'female' | 'male'

export const firstName = (chance: Chance, sex: Sex): string => chance.oneOf(sex === 'female' ? womens : mens)
export const familyName = (chance: Chance): string => chance.oneOf(families)

const townNamed = (name: string): Town => towns.find((town) => town.name === name) ?? (towns[0] as Town)

export const someTown = (chance: Chance): Town =>
  townNamed(chance.weighted(Object.fromEntries(towns.map(({ name, weight }) => [name, weight]))))

export interface Spot {
  readonly latitude: number
  readonly longitude: number
  readonly altitude: number
  readonly accuracy: number
}

/** Most live near the middle; each village has a direction of its own. */
export const spotNear = (chance: Chance, town: Town, village: string): Spot => {
  const direction = (town.villages.indexOf(village) / town.villages.length) * 2 * Math.PI
  const far = town.reach * 0.6
  return {
    latitude: town.latitude + Math.sin(direction) * far + chance.bell() * town.reach * 0.28,
    longitude: town.longitude + Math.cos(direction) * far + chance.bell() * town.reach * 0.28,
    altitude: 1140 + chance.between(0, 160),
    accuracy: chance.between(30, 120) / 10,
  }
}

/** As a device writes it. */
export const spotText = ({ latitude, longitude, altitude, accuracy }: Spot): string =>
  `${latitude.toFixed(6)} ${longitude.toFixed(6)} ${altitude.toFixed(1)} ${accuracy.toFixed(1)}`
