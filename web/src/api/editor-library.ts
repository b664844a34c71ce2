// The question library of a project: rows that somebody keeps for the next form.
import { careful } from './client'
import { errorOf } from './errors'

type Rows = readonly (readonly string[])[]

/** What is there, without the rows. */
export interface LibraryEntry {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly questions: number
  readonly created_by: string | null
  readonly changed_at: string
}

export interface KeptQuestions extends LibraryEntry {
  /** The headings first. */
  readonly survey: Rows
  readonly choices: Rows
}

export const libraryKey = (projectId: number) => ['project', projectId, 'library'] as const

const asked = async <T>(path: string, init?: RequestInit): Promise<T> => {
  const answer = await careful(`/api/v1/projects/${path}`, init)
  if (!answer.ok) throw errorOf(answer.status, await answer.json().catch(() => undefined), answer.headers)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

/** As the server keeps it: one sheet for the rows, and one for their lists where they have any. */
interface Block extends LibraryEntry {
  readonly sheets: readonly { readonly name: string; readonly rows: Rows }[]
}

const rowsOf = ({ sheets }: Block, name: string): Rows => sheets.find((sheet) => sheet.name === name)?.rows ?? []

const asKept = (block: Block): KeptQuestions => ({
  ...block,
  survey: rowsOf(block, 'survey'),
  choices: rowsOf(block, 'choices'),
})

export const listLibrary = (projectId: number): Promise<LibraryEntry[]> => asked(`${projectId}/library`)

/** With the rows, when they are wanted. */
export const getQuestions = async (projectId: number, id: number): Promise<KeptQuestions> =>
  asKept(await asked<Block>(`${projectId}/library/${id}`))

export const keepQuestions = async (
  projectId: number,
  { name, survey, choices }: Pick<KeptQuestions, 'name' | 'survey' | 'choices'>,
): Promise<KeptQuestions> => {
  const lists = choices.length > 0 ? [{ name: 'choices', rows: choices }] : []
  const block = await asked<Block>(`${projectId}/library`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, sheets: [{ name: 'survey', rows: survey }, ...lists] }),
  })
  return asKept(block)
}

export const removeQuestions = (projectId: number, id: number): Promise<void> =>
  asked(`${projectId}/library/${id}`, { method: 'DELETE' })
