// Making the example: a project, a household survey in it, and its records, as if a team had been out for some weeks. Everything
// has a name or an id of its own, so that a call that is repeated, or was cut off, makes what is missing and nothing twice.
import { budgets } from '../../budgets.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { AppError, type Caller } from '../../platform/http/index.js'
import { drawPicture } from '../attachments/index.js'
import { type Compilers, type FoundForm, publishForm, readDraft, visibleForm } from '../forms/index.js'
import { createProject, visibleProject } from '../projects/index.js'
import { createReviews } from '../reviews/index.js'
import { addTags, type ReceivedFile, readArrival, type Submissions, storeFile } from '../submissions/index.js'
import { createWidget } from '../widgets/index.js'
import { findExample, hasWidgets, listReceived } from './example.queries.js'
import {
  type HouseholdRecord,
  householdForm,
  householdRecords,
  householdSheets,
  instanceXml,
} from './material/index.js'
import { workbookOf } from './workbook.js'

const projectName = 'Example: household survey'
export const exampleRecords = 240
const days = 63
const photosInHundred = 26
/** Received together, and reviewed right after: what is cut off lacks little. */
const together = 60

export interface Example {
  readonly projectId: number
  readonly formId: number
  readonly isNew: boolean
}

const names = { project: projectName, form: householdForm.id }

/** What stands on the dashboard from the start. */
const widgets = [
  { title: 'Where drinking water comes from', column: 'water/water_source', view_type: 'horizontal-bar' },
  { title: 'Visits by sub-county', column: 'visit/subcounty', view_type: 'horizontal-bar' },
  { title: 'Worry about food, by roof', column: 'living/worry', group_by: 'household/roof', view_type: 'vertical-bar' },
  { title: 'Toilets', column: 'water/toilet', view_type: 'horizontal-bar' },
  { title: 'Records over time', column: '_submission_time', view_type: 'time-based' },
]

const madeProject = async (deps: Deps, caller: Caller): Promise<number> => {
  try {
    return await createProject(deps, caller, { name: projectName, public: false, metadata: {} }, {})
  } catch (error) {
    // Somebody was faster with the same name: the caller, in another window.
    const found = error instanceof AppError ? await findExample(deps.db, caller.id, names) : undefined
    if (found === undefined) throw error
    return found.projectId
  }
}

const publish = async (deps: Deps, compilers: Compilers, caller: Caller, projectId: number): Promise<number> => {
  const bytes = await workbookOf(householdSheets)
  const compiler = compilers.forAccount(caller)
  const draft = await readDraft(compiler, { kind: 'spreadsheet', name: `${householdForm.id}.xlsx`, bytes })
  const project = await visibleProject(deps.db, caller, String(projectId))
  return (await publishForm(deps, compiler, caller, project, draft)).formId
}

const addWidgets = async (deps: Deps, caller: Caller, formId: number): Promise<void> => {
  if (await hasWidgets(deps.db, formId)) return
  for (const widget of widgets) {
    await createWidget(deps, caller, { ...widget, content_object: `/api/v1/forms/${formId}` }, {})
  }
}

/** Each takes a thread of the few that files and hashes need too. */
const drawnAtOnce = budgets.queues.pictures.each.atOnce

/** What is left of them when something fails, the purge of uploads finds. */
const filesOf = async (deps: Deps, batch: readonly HouseholdRecord[]): Promise<ReceivedFile[][]> => {
  const files: ReceivedFile[][] = batch.map(() => [])
  const lane = async (first: number): Promise<void> => {
    for (let at = first; at < batch.length; at += drawnAtOnce) {
      for (const { name, draw } of batch[at]?.pictures ?? []) {
        files[at]?.push(await storeFile(deps, { name, type: 'image/jpeg', source: await drawPicture(draw()) }))
      }
    }
  }
  await Promise.all(Array.from({ length: drawnAtOnce }, (_, first) => lane(first)))
  return files
}

interface Place {
  readonly deps: Deps
  readonly submissions: Submissions
  readonly caller: Caller
  readonly form: FoundForm
}

const receive = async (
  { submissions, caller, form }: Place,
  record: HouseholdRecord,
  files: readonly ReceivedFile[],
): Promise<void> => {
  const about = { id: form.idString, version: form.version }
  const { instanceId, submitted, answers, correction } = record
  const xml = instanceXml(about, { instanceId, submitted, answers })
  await submissions.submitArrival(caller, form, readArrival(xml), files)
  if (correction === undefined) return
  const filled = { instanceId: correction.instanceId, replaces: instanceId, submitted, answers: correction.answers }
  await submissions.submitArrival(caller, form, readArrival(instanceXml(about, filled)), [])
}

const statusOf = { approved: '1', rejected: '2' } as const

const tagAndReview = async ({ deps, caller, form }: Place, batch: readonly HouseholdRecord[]): Promise<void> => {
  const { db, clock } = deps
  const ids = await idsOf(db, form.id, batch)
  const reviews = batch.flatMap(({ instanceId, review }) => {
    const instance = ids.get(instanceId)
    if (instance === undefined || review === undefined) return []
    return [{ instance, status: statusOf[review.status], ...(review.comment && { note: review.comment }) }]
  })
  for (const { instanceId, tags } of batch) {
    const id = ids.get(instanceId)
    if (id !== undefined && tags.length > 0) await addTags(db, form.id, id, tags, clock.now())
  }
  if (reviews.length > 0) await createReviews(deps, caller, reviews)
}

const idsOf = async (db: Db, formId: number, records: readonly HouseholdRecord[]): Promise<Map<string, number>> => {
  const rows = await listReceived(
    db,
    formId,
    records.map(({ instanceId }) => instanceId),
  )
  return new Map(rows.map(({ uuid, id }) => [uuid, id]))
}

const fill = async (place: Place): Promise<boolean> => {
  const { deps, form } = place
  const wanted = { seed: form.id, now: deps.clock.now(), days, count: exampleRecords, photos: photosInHundred }
  const all = householdRecords(wanted)
  const known = await idsOf(deps.db, form.id, all)
  const missing = all.filter(({ instanceId }) => !known.has(instanceId))
  for (let from = 0; from < missing.length; from += together) {
    const batch = missing.slice(from, from + together)
    const files = await filesOf(deps, batch)
    await Promise.all(batch.map((record, at) => receive(place, record, files[at] ?? [])))
    await tagAndReview(place, batch)
  }
  return missing.length > 0
}

export const makeExample = async (
  deps: Deps,
  compilers: Compilers,
  submissions: Submissions,
  caller: Caller,
): Promise<Example> => {
  const found = await findExample(deps.db, caller.id, names)
  const projectId = found?.projectId ?? (await madeProject(deps, caller))
  const formId = found?.formId ?? (await publish(deps, compilers, caller, projectId))
  await addWidgets(deps, caller, formId)
  const form = await visibleForm(deps.db, caller, String(formId))
  const isNew = await fill({ deps, submissions, caller, form })
  return { projectId, formId, isNew }
}
