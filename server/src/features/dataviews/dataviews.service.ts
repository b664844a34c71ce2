// Finding, making and changing dataviews. One is seen with its form, and changed by those who manage the form.
import type { FormShape } from '../../formats/columns/index.js'
import type { TypedCondition } from '../../formats/query/index.js'
import { type Database, type Db, isRowId, orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden, notFound, throwFaults } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import type { MediaPart } from '../attachments/index.js'
import { answersIn, chosenSlots, type DataPart, type SeenForm, shapeOfForm, sightAsData } from '../data/index.js'
import {
  asFormManager,
  type DataviewRow,
  type FoundForm,
  findDataview,
  findVisibleDefinition,
  projectIdIn,
} from '../forms/index.js'
import { findVisibleProject } from '../projects/index.js'
import { formIsFixed, nameTaken, noMatch, otherProject, tooManyDataviews, unknownObject } from './dataviews.errors.js'
import { countDataviewsOf, deleteDataview, insertDataview, recordsIn, updateDataview } from './dataviews.queries.js'
import type { DataviewBody, PatchDataview } from './dataviews.schemas.js'
import { conditionOf } from './filter.js'
import { type Faults, readColumns, readItems } from './incoming.js'

export interface FoundDataview {
  readonly dataview: DataviewRow
  readonly form: FoundForm
}

/** Its columns and its filter tell what the form asks: it is seen by whoever sees that. */
export const findVisibleDataview = async (db: Db, caller: Caller, id: number): Promise<FoundDataview | undefined> => {
  const dataview = isRowId(id) ? await findDataview(db, id) : undefined
  const form = dataview && (await findVisibleDefinition(db, caller, dataview.formId))
  return form && { dataview, form }
}

/** The same, by what stands in an address. */
export const visibleDataview = async (db: Db, caller: Caller, pk: string): Promise<FoundDataview> => {
  const found = /^\d{1,10}$/.test(pk) ? await findVisibleDataview(db, caller, Number(pk)) : undefined
  if (found === undefined) throw notFound()
  return found
}

export interface SeenDataview {
  readonly dataview: DataviewRow
  readonly seen: SeenForm
  readonly shape: FormShape
  /** Which of the records that the caller sees are in it. */
  readonly condition: TypedCondition
  readonly columns: readonly string[]
}

/** What it shows of its form, whoever looks. */
export const partOfDataview = async (db: Database, dataview: DataviewRow): Promise<DataPart> => {
  const shape = await shapeOfForm(db, dataview.formId)
  return { condition: conditionOf(dataview, answersIn(shape)), columns: dataview.columns }
}

/** For its data: missing for whoever sees no records of the form. */
export const seenDataview = async (db: Database, caller: Caller, pk: string): Promise<SeenDataview> => {
  const { dataview, form } = await visibleDataview(db, caller, pk)
  const seen = sightAsData(caller, form)
  const shape = await shapeOfForm(db, form.id)
  return { dataview, seen, shape, condition: conditionOf(dataview, answersIn(shape)), columns: dataview.columns }
}

/** Of the questions that were chosen, and of the records that match. */
export const filesOfDataview =
  (db: Database) =>
  async (caller: Caller, pk: string): Promise<MediaPart> => {
    const { seen, shape, condition, columns } = await seenDataview(db, caller, pk)
    const questions = chosenSlots(shape, columns).filter(({ kind }) => kind === 'media')
    return { formId: seen.form.id, records: recordsIn({ seen, condition }), questions: questions.map(({ key }) => key) }
  }

export const managedDataview = async (db: Db, caller: Caller, pk: string): Promise<FoundDataview> => {
  const found = await visibleDataview(db, caller, pk)
  if (!found.form.access.may('manage')) throw forbidden()
  return found
}

/** An id, or the address of a form on whatever host. */
const formIdIn = (given: string): string | undefined =>
  /^\d+$/.test(given) ? given : /\/api\/v1\/forms\/(\d+)(?:\.json)?\/?$/.exec(given)?.[1]

/** What is hidden does not exist for whoever names it. */
const namedForm = async (db: Db, caller: Caller, given: unknown, faults: Faults): Promise<FoundForm | undefined> => {
  if (faults.xform !== undefined || typeof given !== 'string') return undefined
  const id = formIdIn(given)
  const form = id === undefined ? undefined : await findVisibleDefinition(db, caller, Number(id))
  if (form === undefined) faults.xform = [id === undefined ? noMatch : unknownObject]
  else if (!form.access.may('manage')) throw forbidden()
  return form
}

interface Place {
  readonly caller: Caller
  readonly origin: string
}

/** It is given only to be right: a dataview goes where its form goes. */
const checkProject = async (
  db: Db,
  { caller, origin }: Place,
  given: unknown,
  form: FoundForm | undefined,
  faults: Faults,
): Promise<void> => {
  if (faults.project !== undefined || typeof given !== 'string') return
  const id = projectIdIn(given)
  if (id === undefined) faults.project = [noMatch]
  else if (form !== undefined && Number(id) === form.projectId) return
  else if ((await findVisibleProject(db, caller, Number(id))) === undefined) faults.project = [unknownObject]
  else if (form !== undefined) faults.project = [otherProject(`${origin}/api/v1/projects/${form.projectId}`)]
}

const asManager = <T>(db: Db, caller: Caller, formId: number, work: (tx: Db) => Promise<T>): Promise<T> =>
  orConflict(asFormManager(db, caller, formId, work), { dataviews__name: nameTaken })

/** Of one form, which shows them all. */
const mostDataviews = 100

type Body = Static<typeof DataviewBody>

export const createDataview = async (
  { db, clock }: Deps,
  place: Place,
  body: Partial<Body>,
  faults: Faults,
): Promise<number> => {
  const { caller } = place
  const form = await namedForm(db, caller, body.xform, faults)
  await checkProject(db, place, body.project, form, faults)
  const shape = form === undefined ? undefined : await shapeOfForm(db, form.id)
  const columns = readColumns(body.columns, shape, faults)
  const query = readItems(body.query ?? null, shape, faults)
  throwFaults(faults)
  const { id: formId } = form as FoundForm
  const { name } = body as Body
  const now = clock.now()
  return asManager(db, caller, formId, async (tx) => {
    if ((await countDataviewsOf(tx, formId)) >= mostDataviews) throw tooManyDataviews(mostDataviews)
    return insertDataview(tx, { formId, name, columns, query, createdBy: caller.id, now })
  })
}

export interface DataviewChange {
  found: FoundDataview
  body: Static<typeof PatchDataview>
  faults: Faults
  /** PATCH keeps what is left out; PUT takes the body for the whole. */
  isMerge: boolean
}

export const changeDataview = async (
  { db, clock }: Deps,
  place: Place,
  { found: { dataview, form }, body, faults, isMerge }: DataviewChange,
): Promise<void> => {
  const { caller } = place
  const named = await namedForm(db, caller, body.xform, faults)
  if (named !== undefined && named.id !== form.id) faults.xform = [formIsFixed]
  await checkProject(db, place, body.project, form, faults)
  // What is left out is not looked at: the form may have been replaced since it was right.
  const shape = await shapeOfForm(db, form.id)
  const columns = body.columns === undefined ? undefined : readColumns(body.columns, shape, faults)
  const query = body.query === undefined && isMerge ? undefined : readItems(body.query ?? null, shape, faults)
  throwFaults(faults)
  await asManager(db, caller, form.id, async (tx) => {
    const changed = await updateDataview(tx, dataview.id, { name: body.name, columns, query }, clock.now())
    if (changed === 0) throw notFound()
  })
}

export const removeDataview = async ({ db, clock }: Deps, caller: Caller, pk: string): Promise<void> => {
  const { dataview, form } = await managedDataview(db, caller, pk)
  await asManager(db, caller, form.id, (tx) => deleteDataview(tx, dataview.id, clock.now()))
}
