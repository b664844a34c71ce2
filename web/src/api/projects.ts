// Projects: what pages and the palette ask of them.
import { api, got, gotWithHeaders, type Schemas } from './client'
import type { ApiError } from './errors'

export type Project = Schemas['Project']
export type ProjectPerson = NonNullable<Project['users']>[number]
export type ProjectTeam = NonNullable<Project['teams']>[number]
export type Activity = Schemas['Activity']

/** What somebody may do with a project, as the server says it in `allowed`. */
export type ProjectAction =
  | 'view'
  | 'view_all'
  | 'view_data'
  | 'export'
  | 'submit'
  | 'change_data'
  | 'manage'
  | 'grant_owner'
  | 'delete'
  | 'transfer'

export const mayInProject = (project: Pick<Project, 'allowed'> | undefined, action: ProjectAction): boolean =>
  project?.allowed.includes(action) === true

/** The account at the end of an address: `…/users/acme`. */
export const accountIn = (address: string): string => decodeURIComponent(address.split('/').at(-1) ?? '')

export const projectsKey = ['projects']

const pageSize = 1000
/** More than these nobody looks through. */
const mostPages = 10

const listAll = async (asked: { owner?: string }): Promise<Project[]> => {
  const all: Project[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { ...asked, page: String(page), page_size: pageSize }
    const { data, headers } = await gotWithHeaders(api.GET('/api/v1/projects', { params: { query } }))
    all.push(...data)
    if (headers.get('link')?.includes('rel="next"') !== true) break
  }
  return all
}

export const listProjects = (): Promise<Project[]> => listAll({})

export const projectsOfKey = (owner: string) => ['projects', 'of', owner] as const

export const listProjectsOf = (owner: string): Promise<Project[]> => listAll({ owner })

export const projectKey = (projectId: number) => ['project', projectId] as const

const of = (projectId: number) => ({ params: { path: { pk: projectId } } })

export const getProject = (projectId: number): Promise<Project> => got(api.GET('/api/v1/projects/{pk}', of(projectId)))

export const setStar = (projectId: number, isStarred: boolean): Promise<unknown> =>
  isStarred
    ? got(api.POST('/api/v1/projects/{pk}/star', of(projectId)))
    : got(api.DELETE('/api/v1/projects/{pk}/star', of(projectId)))

export interface ProjectFields {
  readonly name?: string
  readonly owner?: string
  readonly public?: boolean
  readonly metadata?: Readonly<Record<string, unknown>>
}

export const createProject = (body: ProjectFields & { name: string }): Promise<Project> =>
  got(api.POST('/api/v1/projects', { body }))

export const changeProject = (projectId: number, body: ProjectFields): Promise<Project> =>
  got(api.PATCH('/api/v1/projects/{pk}', { ...of(projectId), body }))

/** The API says it of the name and the owner together; on a page it belongs to the name. */
export const isNameTaken = (error: ApiError | undefined): boolean =>
  error?.kind === 'invalid' &&
  typeof error.body === 'object' &&
  error.body !== null &&
  'non_field_errors' in error.body &&
  Object.keys(error.fields).length === 0

export const deleteProject = (projectId: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/projects/{pk}', of(projectId)))

export const addLabels = (projectId: number, tags: readonly string[]): Promise<string[]> =>
  got(api.POST('/api/v1/projects/{pk}/labels', { ...of(projectId), body: { tags: [...tags] } }))

export const removeLabel = (projectId: number, tag: string): Promise<string[]> =>
  got(api.DELETE('/api/v1/projects/{pk}/labels/{tag_name}', { params: { path: { pk: projectId, tag_name: tag } } }))

/** A day is the day where this device is. */
const here = () => ({ utc_offset: -new Date().getTimezoneOffset() })

export const activityKey = ['activity']
export const getActivity = (): Promise<Activity> => got(api.GET('/api/v1/activity', { params: { query: here() } }))

export const projectActivityKey = (projectId: number) => ['project', projectId, 'activity'] as const
export const getProjectActivity = (projectId: number): Promise<Schemas['ProjectActivity']> =>
  got(api.GET('/api/v1/projects/{pk}/activity', { params: { path: { pk: projectId }, query: here() } }))

export type Example = Schemas['Example']

/** A filled project to try everything with. Takes some seconds; asked for again, it makes what is missing. */
export const makeExample = (): Promise<Example> => got(api.POST('/api/v1/example'))
