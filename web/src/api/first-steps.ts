// The first things that somebody does: the example, a form of their own, an empty project.
import { api, asParts, careful, got, type Schemas } from './client'
import { errorOf } from './errors'
import type { Form } from './forms'
import type { Project } from './projects'

export type Example = Schemas['Example']

/** Takes some seconds; asked for again, it makes what is missing. */
export const makeExample = (): Promise<Example> => got(api.POST('/api/v1/example'))

export const makeProject = (name: string): Promise<Project> => got(api.POST('/api/v1/projects', { body: { name } }))

/** Into the person's first project, which is made where there is none. */
export const publishFirst = async (file: File): Promise<Form> => {
  const field = file.name.toLowerCase().endsWith('.xml') ? 'xml_file' : 'xls_file'
  const answer = await careful('/api/v1/forms', { method: 'POST', body: asParts({ [field]: file }) })
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  return body as Form
}

export interface Mistake {
  readonly message: string
  readonly sheet: string | null
  readonly row: number | null
}

/** What the author has to mend, where the server says it by sheet and row. */
export const mistakesIn = (body: unknown): readonly Mistake[] => {
  if (typeof body !== 'object' || body === null || !('problems' in body) || !Array.isArray(body.problems)) return []
  return body.problems as Mistake[]
}
