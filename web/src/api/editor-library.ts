// The question library of a project: rows that somebody keeps for the next form.
import { careful } from './client'
import { errorOf } from './errors'

type Rows = readonly (readonly string[])[]

export interface KeptQuestions {
  readonly id: number
  readonly name: string
  readonly description: string
  /** The headings first. */
  readonly survey: Rows
  readonly choices: Rows
  readonly questions: number
  readonly created_by: string | null
  readonly changed_at: string
}

export const libraryKey = (projectId: number) => ['project', projectId, 'library'] as const

const asked = async <T>(path: string, init?: RequestInit): Promise<T> => {
  const answer = await careful(`/api/v1/projects/${path}`, init)
  if (!answer.ok) throw errorOf(answer.status, await answer.json().catch(() => undefined), answer.headers)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

export const listLibrary = (projectId: number): Promise<KeptQuestions[]> => asked(`${projectId}/library`)

export const keepQuestions = (
  projectId: number,
  kept: Pick<KeptQuestions, 'name' | 'survey' | 'choices'>,
): Promise<KeptQuestions> =>
  asked(`${projectId}/library`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(kept),
  })

export const removeQuestions = (projectId: number, id: number): Promise<void> =>
  asked(`${projectId}/library/${id}`, { method: 'DELETE' })
