import { takingTurns } from '../../formats/turns/index.js'
import { type Db, grouped } from '../../platform/db/index.js'
import type { Static } from '../../platform/schema/index.js'
import { highestRole, listTeamRoles, projectAccess } from '../permissions/index.js'
import { userAddress } from '../profiles/index.js'
import {
  listOwnedTeams,
  listProjectForms,
  listProjectTags,
  listProjectUsers,
  type ProjectForm,
  type ProjectUser,
} from './project-details.queries.js'
import type { Project } from './projects.queries.js'
import type { ProjectView } from './projects.schemas.js'

type View = Static<typeof ProjectView>

/** Dataviews hang on forms, which belong to a room above: by form, as they are shown. */
export type DataviewsOf = (
  origin: string,
  formIds: readonly number[],
) => Promise<ReadonlyMap<number, readonly Record<string, unknown>[]>>

export interface ProjectViewer {
  origin: string
  dataviewsOf: DataviewsOf
  caller: { id: number; username: string }
  /** One project as a whole, or an entry of a list. */
  shape: 'detail' | 'list'
  /** In a list, people below manager see themselves and the owner only, unless they asked for one owner's projects. */
  isOwnerNamed: boolean
  /** Some forms close at a time. */
  now: Date
}

const byProject = <T extends { projectId: number }>(rows: readonly T[]) => grouped(rows, ({ projectId }) => projectId)

/** Teams of the owning organizations, with their roles on each project. */
const teamsOfProjects = async (db: Db, viewer: ProjectViewer, projects: readonly Project[]) => {
  const [teams, roles] = await Promise.all([
    listOwnedTeams(db, [...new Set(projects.map(({ ownerId }) => ownerId))]),
    listTeamRoles(db, { projectIds: projects.map(({ id }) => id) }).then(byProject),
  ])
  const ofOwner = grouped(teams, ({ ownerId }) => ownerId)
  const ofCaller = teams.filter(({ users }) => users.includes(viewer.caller.username))
  const membersOf = new Set(ofCaller.map(({ ownerId }) => ownerId))
  /** Who is in an organization is for its members, and for those who manage the project. */
  const isShown = ({ ownerId, grants }: Project) => projectAccess(grants).may('manage') || membersOf.has(ownerId)
  return (project: Project) => {
    if (!isShown(project)) return []
    const roleOf = new Map((roles.get(project.id) ?? []).map(({ teamId, role }) => [teamId, role]))
    return (ofOwner.get(project.ownerId) ?? []).map(({ id, organization, name, isOfOwners, users }) => ({
      name: `${organization}#${name}`,
      role: isOfOwners ? ('owner' as const) : (roleOf.get(id) ?? null),
      users: [...users],
    }))
  }
}

/** Projects that are shown together: of each, everybody with a role on it is read. */
export const projectsAtOnce = 100

/** The list as JSON, some projects at a time. */
export async function* projectsText(
  db: Db,
  viewer: ProjectViewer,
  projects: readonly Project[],
): AsyncGenerator<string> {
  const pause = takingTurns()
  let between = '['
  for (let from = 0; from < projects.length; from += projectsAtOnce) {
    const views = await viewsOf(db, viewer, projects.slice(from, from + projectsAtOnce))
    for (const project of projects.slice(from, from + projectsAtOnce)) {
      yield between + JSON.stringify(views(project))
      between = ','
      await pause()
    }
  }
  yield between === '[' ? '[]' : ']'
}

/** As many as are shown together. */
export const projectViews = async (db: Db, viewer: ProjectViewer, projects: readonly Project[]): Promise<View[]> =>
  projects.map(await viewsOf(db, viewer, projects))

/** Six statements for however many projects; what forms have dataviews is asked for details alone. */
const viewsOf = async (
  db: Db,
  viewer: ProjectViewer,
  projects: readonly Project[],
): Promise<(project: Project) => View> => {
  const ids = projects.map(({ id }) => id)
  const [users, teams, tags, forms] = await Promise.all([
    listProjectUsers(db, ids).then(byProject),
    teamsOfProjects(db, viewer, projects),
    listProjectTags(db, ids).then(byProject),
    listProjectForms(db, ids, viewer.caller.id, viewer.now).then(byProject),
  ])
  const formIds = viewer.shape === 'detail' ? [...forms.values()].flat().map(({ id }) => id) : []
  const dataviews = formIds.length === 0 ? undefined : await viewer.dataviewsOf(viewer.origin, formIds)
  return (project) =>
    projectView(viewer, project, {
      users: users.get(project.id) ?? [],
      teams: teams(project),
      tags: (tags.get(project.id) ?? []).map(({ tag }) => tag),
      forms: forms.get(project.id) ?? [],
      dataviews: (forms.get(project.id) ?? []).flatMap(({ id }) => dataviews?.get(id) ?? []),
    })
}

interface Details {
  users: readonly ProjectUser[]
  teams: NonNullable<View['teams']>
  tags: string[]
  forms: readonly ProjectForm[]
  dataviews: Record<string, unknown>[]
}

const projectView = (viewer: ProjectViewer, project: Project, details: Details): View => {
  const { origin } = viewer
  const access = projectAccess(project.grants)
  const hasRole = access.may('view')
  return {
    url: `${origin}/api/v1/projects/${project.id}`,
    projectid: project.id,
    name: project.name,
    owner: userAddress(origin, project.owner),
    ...(hasRole && { created_by: project.createdBy === null ? null : userAddress(origin, project.createdBy) }),
    metadata: project.metadata,
    starred: project.isStarred,
    allowed: [...access.allowed],
    ...(hasRole && { users: shownUsers(viewer, project, details.users).map(userView) }),
    forms: details.forms.map((form) => (viewer.shape === 'detail' ? wholeForm(origin, form) : listedForm(form))),
    public: project.isPublic,
    tags: details.tags,
    num_datasets: details.forms.length,
    last_submission_date: lastSubmission(details.forms)?.toISOString() ?? null,
    ...(hasRole && { teams: details.teams }),
    ...(viewer.shape === 'detail' ? { data_views: details.dataviews } : { deleted_at: null }),
    date_created: project.createdAt.toISOString(),
    date_modified: project.modifiedAt.toISOString(),
  }
}

const listedForm = (form: ProjectForm) => ({
  name: form.title,
  formid: form.id,
  id_string: form.idString,
  is_merged_dataset: false,
  encrypted: form.isEncrypted,
})

const wholeForm = (origin: string, form: ProjectForm) => ({
  ...listedForm(form),
  num_of_submissions: form.submissions,
  downloadable: form.state === 'open',
  state: form.state,
  closes_at: form.closesAt?.toISOString() ?? null,
  last_submission_time: form.lastSubmittedAt?.toISOString() ?? null,
  date_created: form.createdAt.toISOString(),
  url: `${origin}/api/v1/forms/${form.id}`,
  last_updated_at: form.publishedAt.toISOString(),
})

const lastSubmission = (forms: readonly ProjectForm[]): Date | null =>
  forms.reduce<Date | null>((last, { lastSubmittedAt: at }) => (at !== null && (!last || at > last) ? at : last), null)

const shownUsers = (viewer: ProjectViewer, project: Project, users: readonly ProjectUser[]): readonly ProjectUser[] => {
  const isNarrowed = viewer.shape === 'list' && !viewer.isOwnerNamed && !projectAccess(project.grants).may('manage')
  return isNarrowed ? users.filter(({ userId }) => userId === viewer.caller.id || userId === project.ownerId) : users
}

/** Profile metadata is private: the key is there for those who read it, the values are not. */
const userView = ({ isOrg, firstName, lastName, username, roles }: ProjectUser) => ({
  is_org: isOrg,
  metadata: {},
  first_name: firstName,
  last_name: lastName,
  user: username,
  role: highestRole(roles ?? []),
})
