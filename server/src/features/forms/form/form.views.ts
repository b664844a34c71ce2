// How a form looks on the wire, to whom.
import { type Database, grouped } from '../../../platform/db/index.js'
import type { Static } from '../../../platform/schema/index.js'
import { formAccess, highestRole } from '../../permissions/index.js'
import { userAddress } from '../../profiles/index.js'
import { dataviewsOf } from '../attached/index.js'
import { isSpreadsheet } from '../compiling/index.js'
import { type FormUser, listFormTags, listFormUsers, listVersionCounts, type VersionCount } from './details.queries.js'
import type { Form } from './form.queries.js'
import type { FormView } from './form.schemas.js'
import { stateAt, takesRecords } from './states.js'

export type FormViewBody = Static<typeof FormView>

export const formAddress = (origin: string, formId: number): string => `${origin}/api/v1/forms/${formId}`

/** Where it is shown, and when: some forms close at a time. */
export interface FormViewer {
  readonly origin: string
  readonly now: Date
}

interface Details {
  readonly users: readonly FormUser[]
  readonly tags: readonly string[]
  readonly counts: readonly VersionCount[]
  readonly dataviews: FormViewBody['data_views']
}

const byForm = <T extends { formId: number }>(rows: readonly T[]) => grouped(rows, ({ formId }) => formId)

/** Four statements for however many forms, one fewer when the counts are asked for already; one more for dataviews. */
export const formViews = async (
  db: Database,
  viewer: FormViewer,
  forms: readonly Form[],
  counting?: Promise<VersionCount[]>,
): Promise<FormViewBody[]> => {
  const ids = forms.map(({ id }) => id)
  const [users, tags, counts, dataviews] = await Promise.all([
    listFormUsers(db, ids).then(byForm),
    listFormTags(db, ids).then(byForm),
    (counting ?? listVersionCounts(db, ids)).then(byForm),
    dataviewsOf(db)(viewer.origin, ids),
  ])
  return forms.map((form) =>
    formView(viewer, form, {
      users: users.get(form.id) ?? [],
      tags: (tags.get(form.id) ?? []).map(({ tag }) => tag),
      counts: counts.get(form.id) ?? [],
      dataviews: dataviews.get(form.id) ?? [],
    }),
  )
}

const lastSubmission = (counts: readonly VersionCount[]): Date | null =>
  counts.reduce<Date | null>(
    (last, { lastSubmittedAt: at }) => (at !== null && (last === null || at > last) ? at : last),
    null,
  )

export const submissionsOf = (counts: readonly VersionCount[]): number =>
  counts.reduce((sum, { submissions }) => sum + submissions, 0)

/** Whether whoever knows the address may send records, signed in or not; the form need not be public for that. */
const takesAnonymous = (form: Form): boolean => takesRecords(form) && !form.requiresAuth && !form.ownerRequiresAuth

const formView = (
  { origin, now }: FormViewer,
  form: Form,
  { users, tags, counts, dataviews }: Details,
): FormViewBody => {
  const access = formAccess(form.grants)
  const hasRole = access.may('view')
  const last = lastSubmission(counts)
  const state = stateAt(form, now)
  return {
    url: formAddress(origin, form.id),
    formid: form.id,
    title: form.title,
    id_string: form.idString,
    sms_id_string: form.smsIdString,
    version: form.version,
    uuid: form.uuid,
    hash: form.hash,
    date_created: form.createdAt.toISOString(),
    date_modified: form.modifiedAt.toISOString(),
    last_updated_at: form.publishedAt.toISOString(),
    description: form.description,
    downloadable: state === 'open',
    state,
    closes_at: form.closesAt?.toISOString() ?? null,
    owner: form.owner,
    ...(hasRole && { created_by: form.createdBy === null ? null : userAddress(origin, form.createdBy) }),
    public: form.isPublic,
    public_data: form.isDataPublic,
    public_key: form.publicKey,
    require_auth: form.requiresAuth,
    anonymous_submissions: takesAnonymous(form),
    allowed: [...access.allowed],
    project: `${origin}/api/v1/projects/${form.projectId}`,
    tags: [...tags],
    num_of_submissions: submissionsOf(counts),
    last_submission_time: last === null ? null : last.toISOString(),
    xls_available: form.sourceName !== null && isSpreadsheet(form.sourceName),
    allows_sms: false,
    encrypted: form.publicKey !== '',
    ext_dataset: '',
    instances_with_geopoints: counts.some(({ hasPlaces }) => hasPlaces),
    instances_with_osm: false,
    has_hxl_support: false,
    is_merged_dataset: false,
    data_views: dataviews,
    // Who works on a form is for those who work on it.
    users: hasRole ? users.map(userView) : [],
    webform_url: null,
    webform_preview_url: null,
    webform_single_submit_url: null,
  }
}

/** Profile metadata is private: the key is there for those who read it, the values are not. */
const userView = ({ isOrg, firstName, lastName, username, roles }: FormUser) => ({
  is_org: isOrg,
  metadata: {},
  first_name: firstName,
  last_name: lastName,
  user: username,
  role: highestRole(roles),
})
