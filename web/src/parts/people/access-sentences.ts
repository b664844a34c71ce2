// Why somebody sees a project, as sentences.
import { inWords, useTexts } from '@/texts'
import en from '@/texts/en/roles'
import { roleAbout, roleName } from './roles'

export interface KnownAccess {
  readonly role: string
  readonly sources: readonly { readonly source: string; readonly role: string; readonly through: string | null }[]
  readonly allows: readonly string[]
  readonly public: boolean
}

const t = useTexts(en)

const actions = {
  view: 'canView',
  view_all: 'canViewAll',
  view_data: 'canViewData',
  export: 'canExport',
  submit: 'canSubmit',
  change_data: 'canChangeData',
  manage: 'canManage',
  grant_owner: 'canGrantOwner',
  delete: 'canDelete',
  transfer: 'canTransfer',
} as const

const isAction = (action: string): action is keyof typeof actions => Object.hasOwn(actions, action)

/** Who sees all records is not told that they see records. */
const told = (allows: readonly string[]): string[] =>
  allows
    .filter((action) => action !== 'view_data' || !allows.includes('view_all'))
    .filter(isAction)
    .map((action) => t(actions[action]))

const reason = ({ source, role, through }: KnownAccess['sources'][number]): string => {
  const named = { role: roleName(role) }
  if (source === 'owner') return t('fromOwner')
  if (source === 'team') return t('fromTeam', { ...named, team: through ?? '' })
  if (source === 'organization') return t('fromOrganization', { ...named, organization: through ?? '' })
  return source === 'form' ? t('fromForm', named) : t('fromDirect', named)
}

export interface AccessWords {
  /** What they are here. */
  readonly whole: string
  readonly reasons: readonly string[]
  /** What follows from it; nothing where they have no role. */
  readonly allowed: string
}

export const accessWords = (name: string, { role, sources, allows, public: isPublic }: KnownAccess): AccessWords => {
  const abilities = told(allows)
  return {
    whole:
      sources.length === 0
        ? t('isNobody', { name })
        : t('isRole', { name, role: roleName(role), about: roleAbout(role) }),
    reasons: [...sources.map(reason), ...(isPublic ? [t('fromPublic')] : [])],
    allowed: abilities.length === 0 ? '' : t('mayDo', { actions: inWords(abilities) }),
  }
}

/** What still gives them access after they were removed: "the team nurses". */
export const remaining = ({ sources }: KnownAccess): string =>
  inWords(sources.map(({ through, source }) => through ?? source))
