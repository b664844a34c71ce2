// The filters of a list, read from its parameters. One reading for every representation.
import type { FormShape } from '../../../formats/columns/index.js'
import { momentOf } from '../../../formats/moments/index.js'
import { type FieldErrors, throwFaults } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { booleanOf } from '../../../platform/words/index.js'
import { type Area, boxIn, noPlaces, type Places, placesOf, ringIn } from './areas.js'

export type Operator = 'eq' | 'lt' | 'lte' | 'gt' | 'gte'

const operators = ['lt', 'lte', 'gt', 'gte'] as const
const dateFields = ['date_created', 'date_modified', 'last_edited'] as const
const dateParts = ['year', 'month', 'day'] as const
const textFields = ['version', 'status', 'uuid', 'survey_type__slug'] as const
const userIds = ['user__id', 'submitted_by__id'] as const
const usernames = ['user__username', 'submitted_by__username'] as const

export type DateField = (typeof dateFields)[number]
export type DatePart = (typeof dateParts)[number]

export type Filter =
  | {
      readonly kind: 'text'
      readonly field: (typeof textFields)[number]
      readonly operator: Operator
      readonly text: string
    }
  | {
      readonly kind: 'part'
      readonly field: DateField
      readonly part: DatePart
      readonly operator: Operator
      readonly number: number
    }
  | { readonly kind: 'moment'; readonly field: DateField; readonly operator: Operator; readonly text: string }
  | { readonly kind: 'user id'; readonly id: number }
  | { readonly kind: 'username'; readonly name: string }
  | { readonly kind: 'media received'; readonly isReceived: boolean }
  | { readonly kind: 'tags' | 'not tagged'; readonly tags: readonly string[] }
  | { readonly kind: 'within'; readonly area: Area; readonly places: Places }

type Reader = (text: string) => Filter | string

const enterNumber = 'Enter a number.'

const integer = (text: string): number | undefined => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : undefined)

const withOperators = <T>(name: string, make: (operator: Operator) => T): [string, T][] => [
  [name, make('eq')],
  ...operators.map((operator): [string, T] => [`${name}__${operator}`, make(operator)]),
]

const partReader =
  (field: DateField, part: DatePart) =>
  (operator: Operator): Reader =>
  (text) => {
    const number = integer(text)
    return number === undefined ? enterNumber : { kind: 'part', field, part, operator, number }
  }

const momentReader =
  (field: DateField) =>
  (operator: Operator): Reader =>
  (text) => {
    const moment = momentOf(text)
    return moment === undefined ? 'Enter a valid date/time.' : { kind: 'moment', field, operator, text: moment }
  }

const tagReader =
  (kind: 'tags' | 'not tagged'): Reader =>
  (text) => ({
    kind,
    tags: text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  })

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['tags', tagReader('tags')],
  ['not_tagged', tagReader('not tagged')],
  ...textFields.map((field): [string, Reader] => [field, (text) => ({ kind: 'text', field, operator: 'eq', text })]),
  ...operators.map((operator): [string, Reader] => [
    `version__${operator}`,
    (text) => ({ kind: 'text', field: 'version', operator, text }),
  ]),
  ...userIds.map((name): [string, Reader] => [
    name,
    (text) => {
      const id = integer(text)
      return id === undefined ? enterNumber : { kind: 'user id', id }
    },
  ]),
  ...usernames.map((name): [string, Reader] => [name, (text) => ({ kind: 'username', name: text })]),
  [
    'media_all_received',
    (text) => {
      const isReceived = booleanOf(text)
      return isReceived === undefined ? 'Must be a valid boolean.' : { kind: 'media received', isReceived }
    },
  ],
  ...dateFields.flatMap((field) => [
    ...withOperators(field, momentReader(field)),
    ...dateParts.flatMap((part) => withOperators(`${field}__${part}`, partReader(field, part))),
  ]),
])

const descriptions: Readonly<Record<string, string>> = {
  tags: 'Records with any of these tags, separated by commas.',
  not_tagged: 'Records with none of these tags, separated by commas.',
  version: 'Version of the form, exactly.',
  status: 'Exactly this status.',
  uuid: 'Exactly this instance id.',
  survey_type__slug: 'Name of the root element.',
  media_all_received: 'Whether all files have arrived: true or false.',
}

/** Where records are. `geo_field` is a parameter of GeoJSON too. */
const areaQuery = {
  bbox: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Records with a place in the box `west,south,east,north`, in degrees; with a west that is greater than the east it lies across the antimeridian. `geo_field` names the question, else it is `_geolocation`; of a line or an area its first position counts.',
      examples: ['36.6,-1.4,37.1,-1.1'],
    }),
  ),
  polygon: Type.Optional(
    Type.String({
      maxLength: 50_000,
      description: 'The same for a polygon: a JSON list of corners, each `[longitude, latitude]`.',
      examples: ['[[36.6,-1.4],[37.1,-1.4],[36.8,-1.1]]'],
    }),
  ),
}

/** Every filter as a parameter of the address. */
export const FilterQuery = {
  ...Object.fromEntries(
    [...readers.keys()].map((name) => [
      name,
      Type.Optional(
        Type.String({ maxLength: 1000, description: descriptions[name] ?? 'All filters that are given must hold.' }),
      ),
    ]),
  ),
  ...areaQuery,
}

type Faults = Record<string, string[]>

const areasIn = ({ bbox, polygon }: Query, faults: Faults): Area[] => {
  const areas: Area[] = []
  const box = bbox ? boxIn(bbox) : undefined
  const ring = polygon ? ringIn(polygon) : undefined
  if (typeof box === 'string') faults.bbox = [box]
  else if (box !== undefined) areas.push({ kind: 'box', box })
  if (typeof ring === 'string') faults.polygon = [ring]
  else if (ring !== undefined) areas.push({ kind: 'polygon', ring })
  return areas
}

const withinAreas = (query: Query, shape: FormShape, faults: Faults): Filter[] => {
  if (!query.bbox && !query.polygon) return []
  const areas = areasIn(query, faults)
  const places = placesOf(shape, query.geo_field)
  if (places === undefined) faults.geo_field = [noPlaces(query.geo_field ?? '')]
  return places === undefined ? [] : areas.map((area) => ({ kind: 'within', area, places }))
}

type Query = Readonly<Record<string, string | undefined>>

/** A blank parameter is none. All faults at once, with those that are known already. */
export const readFilters = (query: Query, shape: FormShape, known: FieldErrors = {}): Filter[] => {
  const faults: Faults = {}
  const filters: Filter[] = []
  for (const [name, read] of readers) {
    const text = query[name]
    if (typeof text !== 'string' || text === '') continue
    const filter = read(text)
    if (typeof filter === 'string') faults[name] = [filter]
    else filters.push(filter)
  }
  filters.push(...withinAreas(query, shape, faults))
  throwFaults({ ...known, ...faults } as FieldErrors)
  return filters
}
