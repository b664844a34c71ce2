// The ten roles in plain words, highest first.
import { useTexts } from '@/texts'
import en from '@/texts/en/roles'

const t = useTexts(en)

const words = {
  owner: ['owner', 'ownerAbout'],
  manager: ['manager', 'managerAbout'],
  editor: ['editor', 'editorAbout'],
  'editor-minor': ['editorMinor', 'editorMinorAbout'],
  dataentry: ['dataentry', 'dataentryAbout'],
  'dataentry-minor': ['dataentryMinor', 'dataentryMinorAbout'],
  'dataentry-only': ['dataentryOnly', 'dataentryOnlyAbout'],
  readonly: ['readonly', 'readonlyAbout'],
  'readonly-no-download': ['readonlyNoDownload', 'readonlyNoDownloadAbout'],
  member: ['member', 'memberAbout'],
} as const

export type Role = keyof typeof words

export const roles = Object.keys(words) as readonly Role[]

/** Those that something can be shared with; only owners make owners. */
export const sharedRoles = (mayMakeOwners: boolean): readonly Role[] =>
  roles.filter((role) => role !== 'member' && (role !== 'owner' || mayMakeOwners))

/** Those that a member of an organization can have. */
export const orgRoles: readonly Role[] = ['owner', 'manager', 'editor', 'dataentry', 'readonly', 'member']

const isRole = (role: string): role is Role => Object.hasOwn(words, role)

/** A role that this version does not know is shown as it is. */
export const roleName = (role: string): string => (isRole(role) ? t(words[role][0]) : role)
export const roleAbout = (role: string): string => (isRole(role) ? t(words[role][1]) : '')

/** In an organization a role means less: what people see comes from projects. */
export const orgRoleAbout = (role: string): string => {
  if (role === 'owner') return t('orgOwnerAbout')
  if (role === 'manager') return t('orgManagerAbout')
  return role === 'member' ? t('memberAbout') : t('orgOtherAbout')
}
