// What is answered for a subject: what can be charted, the data of charts, or a page.
import type { ChartField } from '../../formats/charts/index.js'
import type { Db } from '../../platform/db/index.js'
import { booleanOf } from '../../platform/words/index.js'
import type { ChartCache } from './chart-cache.js'
import { chartsText, chartText } from './chart-data.js'
import { badBy, figuresNeedField, onlyJson, pageNeedsField, tooManyFigures, unknownField } from './charts.errors.js'
import type { Drawer } from './drawing/thread.js'
import { figuresText, mostFigures } from './figure-data.js'
import { figureOf } from './figures.js'
import { groupingOf, groupsOf } from './grouping.js'
import { forPage, type Look } from './look.js'
import { chartPage } from './page.js'
import { fieldOf, type Subject } from './subject.js'

export interface Asked {
  readonly field_name?: string
  readonly field_xpath?: string
  readonly fields?: string
  readonly group_by?: string
  readonly period?: string
  readonly by?: string
  readonly refresh?: string
  readonly sort?: string
  readonly unit?: string
  readonly shape?: string
}

export interface Asking {
  readonly db: Db
  readonly cached: ChartCache
  readonly subject: Subject
  readonly asked: Asked
  /** Of the subject's charts. */
  readonly address: string
}

const isFresh = ({ refresh }: Asked): boolean => booleanOf(refresh ?? '') === true

const nameIn = ({ field_xpath, field_name }: Asked): string => field_xpath || field_name || ''

/** As answers are kept by. */
const nameOfGroup = ({ path, period }: ChartField) => (period === undefined ? path : [path, period])

/** One field and what it is grouped by. */
const chartedIn = (subject: Subject, asked: Asked): { field: ChartField; groups: ChartField[] } => {
  const field = fieldOf(subject, nameIn(asked))
  const groups = groupsOf(subject, asked.group_by, asked.period?.trim())
  if (groups.length > 0) groupingOf(field, groups)
  return { field, groups }
}

/** `all`, or those of the names that are there. */
const namedFields = (subject: Subject, given: string): ReadonlyMap<string, ChartField> => {
  if (given.trim() === 'all') return subject.questions
  const names = given.split(',').map((name) => name.trim())
  const found = names.flatMap((name): [string, ChartField][] => {
    const field = subject.find(name)
    return field === undefined ? [] : [[name, field]]
  })
  if (found.length === 0) throw unknownField(`[${given}]`, subject.kind)
  return new Map(found)
}

const detailOf = ({ population, questions }: Subject, address: string): string => {
  const { id, idString } = population.seen.form
  const addresses = [...questions.keys()].map((name) => [name, `${address}?field_name=${encodeURIComponent(name)}`])
  return JSON.stringify({ id, id_string: idString, url: address, fields: Object.fromEntries(addresses) })
}

const figuresOf = async ({ db, cached, subject, asked }: Asking): Promise<string> => {
  const name = nameIn(asked)
  if (!asked.fields && name === '') throw figuresNeedField()
  const fields = namedFields(subject, asked.fields || name)
  if (fields.size > mostFigures) throw tooManyFigures(mostFigures)
  const groups = groupsOf(subject, asked.group_by, asked.period?.trim()).slice(0, 1)
  const about = ['figures', [...fields.keys()], groups.map(nameOfGroup), subject.scope]
  const { id: formId } = subject.population.seen.form
  const make = () => figuresText(db, subject.population, fields, groups[0])
  return cached({ formId, isFresh: isFresh(asked), about, make })
}

/** As JSON text. */
export const dataOf = async (asking: Asking): Promise<string> => {
  const { db, cached, subject, asked, address } = asking
  if (asked.shape === 'figures') return figuresOf(asking)
  const { id: formId } = subject.population.seen.form
  const question = { formId, isFresh: isFresh(asked) }
  if (asked.fields) {
    const fields = namedFields(subject, asked.fields)
    const about = ['fields', [...fields.keys()], subject.scope]
    return cached({ ...question, about, make: () => chartsText(db, subject, fields) })
  }
  if (nameIn(asked) === '') return detailOf(subject, address)
  const { field, groups } = chartedIn(subject, asked)
  const about = ['chart', field.path, groups.map(nameOfGroup), subject.scope]
  return cached({ ...question, about, make: () => chartText(db, subject, field, groups) })
}

const bys: ReadonlyMap<string, Look['by']> = new Map([
  ['', 'choice'],
  ['choice', 'choice'],
  ['combination', 'combination'],
])

const byOf = (given = ''): Look['by'] => {
  const by = bys.get(given.trim())
  if (by === undefined) throw badBy(given)
  return by
}

const lookOf = ({ sort, unit, by }: Asked): Look => ({
  by: byOf(by),
  order: sort === 'value' ? 'value' : 'count',
  unit: unit === 'percent' ? 'percent' : 'count',
})

/** As a page; drawn once for ten minutes, like the data. */
export const pageOf = async (
  { db, cached, subject, asked, address }: Asking,
  drawer: Drawer,
  now: Date,
): Promise<string> => {
  const { field, groups } = chartedIn(subject, asked)
  const charted = { field: forPage(field), groups: groups.map(forPage) }
  const look = lookOf(asked)
  const paths = charted.groups.map(nameOfGroup)
  // Addresses and titles are part of the page.
  const about = ['page', charted.field.path, paths, look, subject.scope, subject.title, address]
  const make = async () =>
    chartPage(
      drawer,
      { subject, ...charted, look, address, now, viewer: String(subject.population.seen.callerId) },
      await figureOf(db, subject, charted, look),
    )
  return cached({ formId: subject.population.seen.form.id, isFresh: isFresh(asked), about, make })
}

/** Whether a caller who takes a page gets one. A browser that did not ask for it by name gets whatever there is. */
export const isPage = (asked: Asked, isNamed: boolean): boolean => {
  const isOfOne = !asked.fields && nameIn(asked) !== '' && asked.shape === undefined
  if (isNamed && asked.fields) throw onlyJson()
  if (isNamed && !isOfOne) throw pageNeedsField()
  return isOfOne
}
