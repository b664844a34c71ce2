// The schemas that rooms export, by name: what the description shows as named models. One line per file.
import * as account from './features/account/account.schemas.js'
import * as activity from './features/activity/activity.schemas.js'
import * as attachments from './features/attachments/attachments.schemas.js'
import * as charts from './features/charts/charts.schemas.js'
import * as codes from './features/codes/codes.schemas.js'
import * as audits from './features/data/audits/audits.schemas.js'
import * as clusters from './features/data/clusters/clusters.schemas.js'
import * as dataEntries from './features/data/entries.schemas.js'
import * as indexes from './features/data/indexes/indexes.schemas.js'
import * as lists from './features/data/lists/lists.schemas.js'
import * as record from './features/data/record/record.schemas.js'
import * as selection from './features/data/selection/selection.schemas.js'
import * as dataviews from './features/dataviews/dataviews.schemas.js'
import * as drafts from './features/drafts/drafts.schemas.js'
import * as example from './features/example/example.schemas.js'
import * as exports from './features/exports/exports.views.js'
import * as dataviewSummaries from './features/forms/attached/dataviews.views.js'
import * as formMetadata from './features/forms/attached/metadata.views.js'
import * as formChanges from './features/forms/changing/changing.schemas.js'
import * as formRefusals from './features/forms/compiling/compiling.schemas.js'
import * as forms from './features/forms/form/form.schemas.js'
import * as formUploads from './features/forms/publishing/publishing.schemas.js'
import * as imports from './features/imports/imports.schemas.js'
import * as keys from './features/keys/keys.schemas.js'
import * as library from './features/library/library.schemas.js'
import * as messages from './features/messages/messages.schemas.js'
import * as metadata from './features/metadata/metadata.schemas.js'
import * as notes from './features/notes/notes.schemas.js'
import * as clients from './features/oauth/clients/clients.schemas.js'
import * as oauth from './features/oauth/protocol/protocol.schemas.js'
import * as operations from './features/operations/operations.schemas.js'
import * as organizations from './features/organizations/organizations.schemas.js'
import * as plans from './features/plans/plans.schemas.js'
import * as profiles from './features/profiles/profiles.schemas.js'
import * as projects from './features/projects/projects.schemas.js'
import * as restServices from './features/rest-services/rest-services.schemas.js'
import * as reviews from './features/reviews/reviews.schemas.js'
import * as setup from './features/sign-in/setup.schemas.js'
import * as signIn from './features/sign-in/sign-in.schemas.js'
import * as stats from './features/stats/stats.schemas.js'
import * as teams from './features/teams/teams.schemas.js'
import * as users from './features/users/users.schemas.js'
import * as widgets from './features/widgets/widgets.schemas.js'
import { Detail, Faults } from './platform/http/index.js'

const { PatchBody, PutBody, ...profileModels } = profiles

export const models: Readonly<Record<string, unknown>> = {
  Error: Detail,
  Faults,
  ...account,
  ...activity,
  ...attachments,
  ...charts,
  ...audits,
  ...clusters,
  ...indexes,
  ...dataEntries,
  ...lists,
  ...record,
  ...selection,
  ...codes,
  ...dataviews,
  ...drafts,
  ...example,
  ...exports,
  ...dataviewSummaries,
  ...formMetadata,
  ...formChanges,
  ...formRefusals,
  ...forms,
  ...formUploads,
  ...imports,
  ...keys,
  ...library,
  ...messages,
  ...metadata,
  ...notes,
  ...clients,
  ...oauth,
  ...operations,
  ...organizations,
  ...plans,
  ...profileModels,
  // In their room these need no other name.
  PatchProfile: PatchBody,
  PutProfile: PutBody,
  ...projects,
  ...restServices,
  ...reviews,
  ...setup,
  ...signIn,
  ...stats,
  ...teams,
  ...users,
  ...widgets,
}
