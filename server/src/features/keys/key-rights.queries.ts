// What a key opens, as conditions: they stand in every statement that uses one. A key hands on the right of whoever holds it,
// and ends with it; so nothing depends on every place that takes a right away remembering the keys.
import { type Sql, sql } from '../../platform/db/index.js'
import { rolesThatMay, stillManages, stillManagesWithin, stillMay } from '../permissions/index.js'

/** Of `keys` beside `forms`: whoever holds it may hand the form on. */
export const managesForm: Sql = stillManages({
  formId: sql`forms.id`,
  projectId: sql`forms.project_id`,
  userId: sql`keys.held_by`,
})

/** Where a key is for one form, that form's project: forms move. */
const placeOfKey = sql`
  case when keys.form_id is null then keys.project_id
    else (select forms.project_id from forms where forms.id = keys.form_id and forms.deleted_at is null) end`

/** Of `keys`: whoever holds it still manages what it is for, and that is there. One question for keys of projects and of forms:
 * every phone waits for it, and asked as two it costs twice as much, whichever is answered. */
export const isHeld: Sql = sql`
  coalesce((
    select ${stillManages({ formId: sql`keys.form_id`, projectId: sql`projects.id`, userId: sql`keys.held_by` })}
    from projects join users owners on owners.id = projects.owner_id and owners.is_active
    where projects.id = ${placeOfKey} and projects.deleted_at is null), false)`

/** Of `keys`: nobody has ended it, and its time is not over. */
export const isRunning = (now: Date): Sql => sql`
  keys.revoked_at is null and keys.stopped_at is null and keys.deleted_at is null
  and (keys.expires_at is null or keys.expires_at > ${now})`

/** Of `keys` of a project: all forms, or one of those that were chosen is there. */
const hasForms = sql`
  (keys.has_all_forms or exists (
    select from device_key_forms chosen
    join forms on forms.id = chosen.form_id and forms.project_id = keys.project_id and forms.deleted_at is null
    where chosen.key_id = keys.id and chosen.removed_at is null))`

/** Of `keys` with its `actors`: it is good today. One whose chosen forms have all gone is not: a phone would delete its forms for an empty
 * list. */
export const isGood = (now: Date): Sql => sql`
  ${isRunning(now)} and ${isHeld}
  and (keys.acts_as is null or (actors.is_active and not actors.is_org) is true)
  and (keys.form_id is not null or ${hasForms})`

const wasChosen = sql`
  (keys.has_all_forms or exists (
    select from device_key_forms chosen where chosen.key_id = keys.id and chosen.form_id = forms.id))`

/** Of `keys` beside `forms`: the form is among those that it is for, or was once: a phone may hold a record that was made then. */
export const wasListed: Sql = sql`
  case when keys.form_id is not null then forms.id = keys.form_id
    else forms.project_id = keys.project_id and ${wasChosen} end`

/** Of `keys` of a project beside one of its `forms`: whoever holds it may hand both on, and the form was on its list. */
export const opensFormOfProject: Sql = sql`
  ${stillManagesWithin({ formId: sql`forms.id`, projectId: sql`keys.project_id`, userId: sql`keys.held_by` })}
  and ${hasForms} and ${wasChosen}`

/** Of `keys` beside `forms`: whoever it acts for may fill the form in. */
export const actorMaySubmit: Sql = stillMay({ formId: sql`forms.id`, userId: sql`keys.acts_as` }, 'submit')

/** The forms of a project on which somebody has a role, all at once: a list of 500 forms asks once, not 500 times. "Is true":
 * else it is a join, which the database plans as 500 questions while it does not know yet how many forms there are. */
export const grantedForms = (userId: number, action: 'manage' | 'submit'): Sql => sql`
  (forms.id in (
    select grants.form_id from form_grants grants join users holders on holders.id = grants.user_id and holders.is_active
    where grants.user_id = ${userId} and grants.role = any(${rolesThatMay(action)}::text[]))) is true`
