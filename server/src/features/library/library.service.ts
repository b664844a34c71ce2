// Blocks as they come in: held against the compiler, so that what lies in a library can be put into a form.
import { formatProblem, type Problem, XlsFormError } from '@sheaf/xlsform/form'
import { sheetOf } from '@sheaf/xlsform/sheets'
import type { FormCompiler } from '@sheaf/xlsform/thread'
import { writeWorkbook } from '@sheaf/xlsform/workbook'
import { budgets } from '../../budgets.js'
import { type Db, orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { absent, type Caller, forbidden, throwFaults } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { type FoundProject, underProjectLock } from '../projects/index.js'
import { blockChanged, libraryFull, nameTaken } from './library.errors.js'
import {
  type BlockSheet,
  countBlocks,
  deleteBlock,
  findBlock,
  insertBlock,
  listBlocks,
  type SavedSheets,
  updateBlock,
} from './library.queries.js'
import type { CreateBlock, PatchBlock } from './library.schemas.js'

export type Faults = Record<string, string | readonly string[]>
type Body = Partial<Static<typeof CreateBlock> & Static<typeof PatchBlock>>

/** A block may refer to questions of the form that it is put into. */
const isOfForm = ({ code }: Problem): boolean => code === 'unknown-reference'

const mostTold = 50

const problemsOf = async (compiler: FormCompiler, sheets: readonly BlockSheet[]): Promise<readonly Problem[]> => {
  try {
    const raw = sheets.map(({ name, rows }) => sheetOf(name, rows))
    await compiler.compile(await writeWorkbook(raw), { fileName: 'block.xlsx' })
    return []
  } catch (error) {
    if (error instanceof XlsFormError) return error.problems.filter((problem) => !isOfForm(problem))
    throw error
  }
}

/** Rows that begin and end something are no questions. */
const questionsIn = ([headings = [], ...rows]: BlockSheet['rows']): number => {
  const type = headings.findIndex((heading) => heading.trim().toLowerCase() === 'type')
  const types = rows.map((row) => (row[type] ?? '').trim().toLowerCase())
  return types.filter((text) => text !== '' && !text.startsWith('begin') && !text.startsWith('end')).length
}

const shapeFault = (sheets: readonly BlockSheet[]): string | undefined => {
  const names = sheets.map(({ name }) => name)
  if (!names.includes('survey')) return 'A block has a sheet survey.'
  if (new Set(names).size < names.length) return 'Each sheet once.'
  const characters = sheets.reduce((sum, { rows }) => sum + JSON.stringify(rows).length, 0)
  const most = budgets.library.characters
  return characters > most ? `The block has ${characters} characters, at most ${most} are taken.` : undefined
}

/** Adds what a schema cannot see. */
const checkSheets = async (compiler: FormCompiler, body: Body, faults: Faults): Promise<SavedSheets | undefined> => {
  const { sheets } = body
  if (sheets === undefined || faults.sheets !== undefined) return undefined
  const fault = shapeFault(sheets)
  const problems = fault === undefined ? await problemsOf(compiler, sheets) : []
  const told = fault === undefined ? problems.slice(0, mostTold).map(formatProblem) : [fault]
  if (told.length > 0) faults.sheets = told
  const survey = sheets.find(({ name }) => name === 'survey')
  return { sheets, questions: questionsIn(survey?.rows ?? []) }
}

/** Told with all other faults; two at once are told by the constraint. */
const checkName = async (db: Db, project: FoundProject, body: Body, faults: Faults, exceptId = 0): Promise<void> => {
  const name = body.name
  if (typeof name !== 'string' || faults.name !== undefined) return
  const isTaken = (await listBlocks(db, project.id)).some(
    (one) => one.id !== exceptId && one.name.toLowerCase() === name.toLowerCase(),
  )
  if (isTaken) Object.assign(faults, nameTaken(name).fields)
}

const unlessTaken = <T>(work: Promise<T>, name = ''): Promise<T> =>
  orConflict(work, { library_blocks__project_id_name: () => nameTaken(name) })

const refuseOthers = ({ access }: FoundProject): void => {
  if (!access.may('manage')) throw forbidden()
}

export const addBlock = async (
  { db, clock }: Deps,
  compiler: FormCompiler,
  caller: Caller,
  project: FoundProject,
  { body, faults }: { readonly body: Body; readonly faults: Faults },
): Promise<number> => {
  const saved = await checkSheets(compiler, body, faults)
  await checkName(db, project, body, faults)
  throwFaults(faults)
  const { name = '', description = '' } = body
  const work = underProjectLock(db, caller, project.id, async (tx, present) => {
    refuseOthers(present)
    const most = budgets.library.blocks
    if ((await countBlocks(tx, project.id)) >= most) throw libraryFull(most)
    const whole = { sheets: [], questions: 0, ...saved }
    return insertBlock(tx, { ...whole, projectId: project.id, name, description, by: caller.id, now: clock.now() })
  })
  return unlessTaken(work, name)
}

export const changeBlock = async (
  { db, clock }: Deps,
  compiler: FormCompiler,
  caller: Caller,
  project: FoundProject,
  { id, body, faults }: { readonly id: number; readonly body: Body; readonly faults: Faults },
): Promise<void> => {
  const saved = await checkSheets(compiler, body, faults)
  await checkName(db, project, body, faults, id)
  throwFaults(faults)
  const { name, description, revision } = body
  const work = underProjectLock(db, caller, project.id, async (tx, present) => {
    refuseOthers(present)
    const there = await findBlock(tx, project.id, id)
    if (there === undefined) throw absent()
    if (revision !== undefined && there.revision !== revision) throw blockChanged(there)
    await updateBlock(tx, id, { name, description, saved, by: caller.id, now: clock.now() })
  })
  await unlessTaken(work, name)
}

export const removeBlock = ({ db }: Deps, caller: Caller, project: FoundProject, id: number): Promise<void> =>
  underProjectLock(db, caller, project.id, async (tx, present) => {
    refuseOthers(present)
    if (!(await deleteBlock(tx, project.id, id))) throw absent()
  })
