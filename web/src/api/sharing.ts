// With whom a project is shared: people, invitations, and why somebody sees it.
import { api, got, type Schemas } from './client'
import { conflictError } from './errors'
import { giveRole, takeRole } from './form-settings'
import { getForm, idIn } from './forms'

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

/** What somebody has of their own: on the project, and on forms that say otherwise. A change of the one ends the other. */
export interface Shares {
  readonly onProject: string | undefined
  readonly onForms: readonly { readonly formId: number; readonly role: string }[]
}

const ownIn = ({ sources }: Access): string | undefined => sources.find(({ source }) => source === 'direct')?.role

export const rememberShares = async (projectId: number, username: string): Promise<Shares> => {
  const [access, forms] = await Promise.all([
    getAccess(projectId, username),
    got(api.GET('/api/v1/projects/{pk}/forms', of(projectId))),
  ])
  const onForms = forms.flatMap(({ formid: formId, users }) =>
    users.filter(({ user, role }) => user === username && role !== access.role).map(({ role }) => ({ formId, role })),
  )
  return { onProject: ownIn(access), onForms }
}

/** `expected` is the role that they were given, undefined for none: whatever somebody else gave them since is not overwritten. */
export const putSharesBack = async (
  projectId: number,
  username: string,
  { onProject, onForms }: Shares,
  expected: string | undefined,
): Promise<void> => {
  if (ownIn(await getAccess(projectId, username)) !== expected) throw conflictError()
  if (onProject !== undefined) await shareProject(projectId, { username, role: onProject })
  else if (expected !== undefined) await unshareProject(projectId, username)
  for (const { formId, role } of onForms) await giveRole(formId, username, role)
}

/** The same for a form alone. Who had their role through the project has it through the project again, not one of their own. */
export const putRoleBack = async (
  formId: number,
  { user: username, role }: { readonly user: string; readonly role: string },
  given: string | undefined,
): Promise<void> => {
  const form = await getForm(formId)
  const through = await getAccess(idIn(form.project), username).catch(() => undefined)
  const now = form.users.find(({ user }) => user === username)?.role
  if (now !== (given ?? through?.role) && now !== given) throw conflictError()
  if (role !== through?.role) await giveRole(formId, username, role)
  else if (given !== undefined) await takeRole(formId, username)
}

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
