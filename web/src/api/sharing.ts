// With whom a project is shared: people, invitations, and why somebody sees it.
import { api, got, type Schemas } from './client'

const of = (projectId: number) => ({ params: { path: { pk: projectId } } })

export const shareProject = (
  projectId: number,
  share: { username: string; role: string; email_msg?: string },
): Promise<unknown> => got(api.PUT('/api/v1/projects/{pk}/share', { ...of(projectId), body: share }))

export const unshareProject = (projectId: number, username: string): Promise<unknown> =>
  got(api.PUT('/api/v1/projects/{pk}/share', { ...of(projectId), body: { username, remove: true } }))

export type Access = Schemas['Access']

export const accessKey = (projectId: number, username: string) => ['project', projectId, 'access', username] as const

export const getAccess = (projectId: number, user: string): Promise<Access> =>
  got(api.GET('/api/v1/projects/{pk}/access', { params: { path: { pk: projectId }, query: { user } } }))

export interface Invitation {
  readonly id: number
  readonly email: string
  readonly role: string
  readonly status: number
}

/** As the API numbers them. */
export const invitationStates = { waiting: 1, accepted: 2, ended: 3 } as const

export const invitationsKey = (projectId: number) => ['project', projectId, 'invitations'] as const

export const listInvitations = (projectId: number): Promise<Invitation[]> =>
  got(api.GET('/api/v1/projects/{pk}/invitations', of(projectId)))

export const invite = (projectId: number, body: { email: string; role: string }): Promise<Invitation> =>
  got(api.POST('/api/v1/projects/{pk}/invitations', { ...of(projectId), body }))

export const resendInvitation = (projectId: number, id: number): Promise<unknown> =>
  got(api.POST('/api/v1/projects/{pk}/resend-invitation', { ...of(projectId), body: { invitation_id: id } }))

export const takeInvitationBack = (projectId: number, id: number): Promise<unknown> =>
  got(api.POST('/api/v1/projects/{pk}/revoke-invitation', { ...of(projectId), body: { invitation_id: id } }))
