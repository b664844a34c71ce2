// The versions of a form, and its replacement by a new file: first what it would mean, then doing it.
import { api, asParts, careful, got, type Schemas } from './client'
import { type ApiError, errorOf } from './errors'
import type { TreeNode } from './form-model'
import type { Form } from './forms'

export type Version = Schemas['Version']
export type Plan = Schemas['Plan']
export type Problem = NonNullable<Schemas['FormRefusal']['problems']>[number]
export type Tree = TreeNode & { readonly title?: string; readonly version?: string }

const of = (formId: number) => ({ params: { path: { pk: formId } } })

export const versionsKey = (formId: number) => ['form', formId, 'versions'] as const

/** The oldest first. */
export const listVersions = (formId: number): Promise<Version[]> =>
  got(api.GET('/api/v1/forms/{pk}/versions', of(formId)))

export const treeKey = (formId: number, version: string) => ['form', formId, 'tree', version] as const

const fetched = async (address: string): Promise<Response> => {
  const { pathname } = new URL(address)
  const answer = await careful(pathname)
  if (!answer.ok) throw errorOf(answer.status, await answer.json().catch(() => undefined), answer.headers)
  return answer
}

export const getTree = async (version: Version): Promise<Tree> => (await (await fetched(version.url)).json()) as Tree

/** A version as files that can be published again: its spreadsheet where it had one, and what devices read. */
export const filesOf = async (version: Version): Promise<readonly File[]> => {
  const addresses = [
    ...(version.spreadsheet === null ? [] : [{ address: version.spreadsheet, name: 'xlsx' }]),
    { address: version.xml, name: 'xml' },
  ]
  return Promise.all(
    addresses.map(async ({ address, name }) => {
      const answer = await fetched(address)
      const ending = /filename="?[^";]*\.([a-z]{3,4})"?/i.exec(answer.headers.get('content-disposition') ?? '')?.[1]
      return new File([await answer.blob()], `${version.version.replace(/[^\w.-]/g, '_')}.${ending ?? name}`)
    }),
  )
}

/** The part that a file is sent as. */
const partOf = (file: File) => (/\.xml$/i.test(file.name) ? { xml_file: file } : { xls_file: file })

const inParts = (body: object | undefined) => asParts(body ?? {})

export const planFor = (formId: number, file: File): Promise<Plan> =>
  got(api.POST('/api/v1/forms/{pk}/plan', { ...of(formId), body: partOf(file) as never, bodySerializer: inParts }))

export const replaceForm = (formId: number, file: File): Promise<Form> =>
  got(api.PATCH('/api/v1/forms/{pk}', { ...of(formId), body: partOf(file) as never, bodySerializer: inParts }))

/** What is wrong with a file, by its place; nothing where the refusal is about something else. */
export const problemsOf = (error: ApiError | undefined): readonly Problem[] => {
  const { body } = error ?? {}
  if (typeof body !== 'object' || body === null || !('problems' in body) || !Array.isArray(body.problems)) return []
  return body.problems as Problem[]
}
