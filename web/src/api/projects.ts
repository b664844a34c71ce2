// Projects: what pages and the palette ask of them.
import { api, got, type Schemas } from './client'

export type Project = Schemas['Project']

export const projectsKey = ['projects']

export const listProjects = (): Promise<Project[]> => got(api.GET('/api/v1/projects'))

export const projectKey = (projectId: number) => ['project', projectId] as const

export const getProject = (projectId: number): Promise<Project> =>
  got(api.GET('/api/v1/projects/{pk}', { params: { path: { pk: projectId } } }))

export const setStar = (projectId: number, isStarred: boolean): Promise<unknown> => {
  const of = { params: { path: { pk: projectId } } }
  return isStarred ? got(api.POST('/api/v1/projects/{pk}/star', of)) : got(api.DELETE('/api/v1/projects/{pk}/star', of))
}
