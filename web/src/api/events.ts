// What happened in a project, newest first, and what people say about it.
import { api, got, type Schemas } from './client'

export type ProjectEvent = Schemas['ProjectEvent']

export const eventsKey = (projectId: number) => ['project', projectId, 'events'] as const

export const eventsAtOnce = 50

export const listProjectEvents = (projectId: number, before?: number): Promise<ProjectEvent[]> =>
  got(
    api.GET('/api/v1/projects/{pk}/events', {
      params: {
        path: { pk: projectId },
        query: { page_size: eventsAtOnce, ...(before !== undefined && { before }) },
      },
    }),
  )

export const sayInProject = (projectId: number, message: string): Promise<{ id: number }> =>
  got(api.POST('/api/v1/messaging', { body: { target_type: 'project', target_id: projectId, message } }))

export const removeMessage = (id: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/messaging/{id}', { params: { path: { id } } }))
