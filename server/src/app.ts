// The application: one line per room.
import { readFileSync } from 'node:fs'
import { account } from './features/account/index.js'
import { activityRoutes } from './features/activity/index.js'
import { attachments } from './features/attachments/index.js'
import { avatarRoutes } from './features/avatars/index.js'
import { backupJobs } from './features/backups/index.js'
import { briefcase } from './features/briefcase/index.js'
import { charts } from './features/charts/index.js'
import { codes } from './features/codes/index.js'
import {
  authenticator,
  credentialJobs,
  deviceDoor,
  limitAddressSearches,
  passwordLogin,
} from './features/credentials/index.js'
import { data } from './features/data/index.js'
import { dataviews, dataviewsGone, filesOfDataview } from './features/dataviews/index.js'
import { drafts } from './features/drafts/index.js'
import { example } from './features/example/index.js'
import { exportRoutes } from './features/exports/index.js'
import { type Compilers, dataviewsOf, forms, openCompilers, projectForms } from './features/forms/index.js'
import { healthRoutes } from './features/health/index.js'
import { imports } from './features/imports/index.js'
import { keyAuthenticator, keys } from './features/keys/index.js'
import { libraryRoutes } from './features/library/index.js'
import { linkedDataJobs } from './features/linked-data/index.js'
import { mandates } from './features/mandates/index.js'
import { messageRoutes } from './features/messages/index.js'
import { metadataRoutes } from './features/metadata/index.js'
import { noteRoutes } from './features/notes/index.js'
import { bearerVerifier, oauth } from './features/oauth/index.js'
import { apiSubmissions, openRosa } from './features/openrosa/index.js'
import { operations } from './features/operations/index.js'
import { organizations } from './features/organizations/index.js'
import { plans } from './features/plans/index.js'
import { profiles } from './features/profiles/index.js'
import { projects } from './features/projects/index.js'
import { restServices } from './features/rest-services/index.js'
import { reviewRoutes } from './features/reviews/index.js'
import { docsRoutes, rootRoutes, welcomeRoutes } from './features/root/index.js'
import { loginAddress, signIn, withSessions } from './features/sign-in/index.js'
import { statsRoutes } from './features/stats/index.js'
import { countRefusals, Submissions } from './features/submissions/index.js'
import { organizationTeams, teamRoutes } from './features/teams/index.js'
import { uploadJobs } from './features/uploads/index.js'
import { userRoutes } from './features/users/index.js'
import { openApplication, tilesOf, webRoutes, webSettings } from './features/web/index.js'
import { widgetRoutes } from './features/widgets/index.js'
import { models } from './models.js'
import { applicationFolder, migrationsFolder, packageFile, staticFolder } from './paths.js'
import type { Deps } from './platform/deps.js'
import { type Authenticate, createHttpServer, type HttpServer } from './platform/http/index.js'
import { ApiDescription } from './platform/openapi/index.js'
import { processSettings } from './platform/settings.js'
import type { RequestLog } from './platform/telemetry/index.js'

const about = {
  title: 'Sheaf API',
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  description: `Form data collection: accounts, forms, submissions and what is made of them.

Callers sign in with the \`Authorization\` header: \`Basic\` with a username or e-mail address and a password, \`Token\`
with the API token or \`TempToken\` with the temporary token of \`GET /api/v1/user\`, \`Bearer\` with an OAuth access
token. Pages of this server use the session of the browser instead: \`GET /accounts/session\` tells its proof, which goes
along as \`X-Sheaf-Csrf\` with whatever changes something. Bodies are JSON, form-encoded or multipart. Every path may end in \`.json\`.

Errors are \`{"detail": "…"}\`, or the faulty fields, all at once: \`{"username": ["This field is required."]}\`. What a
caller may not see answers 404, exactly as what does not exist. Lists are bare arrays; pages are linked in the
\`Link\` header.`,
}

const tags = [
  { name: 'account', description: 'The caller’s own account: tokens and password.' },
  { name: 'session', description: 'Signing in and out in a browser, for this server’s own pages.' },
  { name: 'profiles', description: 'Registration, profiles and e-mail verification.' },
  { name: 'organizations', description: 'Organizations and their members.' },
  { name: 'teams', description: 'Teams of organizations and their roles on projects.' },
  { name: 'projects', description: 'Projects: sharing, labels, stars, invitations.' },
  { name: 'forms', description: 'Forms: publishing, versions, sharing, labels.' },
  { name: 'drafts', description: 'Test forms: a version that is tried out before it is published.' },
  { name: 'library', description: 'Blocks of questions of a project, to be put into its forms.' },
  { name: 'keys', description: 'Devices without accounts: keys that forms are filled in by.' },
  { name: 'oauth', description: 'OAuth 2.0 and OpenID Connect: clients, approvals and tokens.' },
  { name: 'messaging', description: 'What happened, and what people say about it.' },
  { name: 'rest services', description: 'Forwarding submissions to other servers.' },
  { name: 'openrosa', description: 'What ODK Collect, KoboCollect and Enketo call.' },
  { name: 'submissions', description: 'Sending filled forms.' },
  { name: 'metadata', description: 'Media, documents and links of forms, projects and submissions.' },
  { name: 'attachments', description: 'Files of records, and small pictures of them.' },
  { name: 'notes', description: 'What people write on records.' },
  { name: 'reviews', description: 'Approving and rejecting records.' },
  { name: 'data', description: 'Records of forms: lists, queries, files, labels, deletion.' },
  { name: 'dataviews', description: 'Some columns of a form’s records, of those that match.' },
  { name: 'charts', description: 'Charts of form fields, as data and as pages; statistics of numbers.' },
  { name: 'widgets', description: 'Charts that are kept, in their order, to be shown by a key.' },
  { name: 'example', description: 'A filled project to try everything with.' },
  { name: 'server', description: 'For operators: how the server does, and who has an account.' },
  { name: 'users', description: 'People and organizations by name.' },
  { name: 'api', description: 'The API itself: its resources and its description.' },
  { name: 'health', description: 'For those who run the service.' },
  { name: 'pages', description: 'What a browser shows.' },
]

const version: string = JSON.parse(readFileSync(packageFile, 'utf8')).version

/** `compilers` are for all rooms: large forms wait for each other rather than for memory. They close with the application. */
export const buildApp = async (
  deps: Deps,
  log: RequestLog,
  compilers: Compilers = openCompilers(),
): Promise<HttpServer> => {
  const { baseUrl, trustProxy, requestsPerMinute, requestsAtOnce, submissionsAtOnce } = deps.config.of(processSettings)
  const tiles = tilesOf(deps.config.of(webSettings))
  const application = openApplication(applicationFolder, tiles)
  const logIn = passwordLogin(deps)
  const authenticate = authenticator(deps, logIn, bearerVerifier(deps))
  const authenticateReader = withSessions(deps, authenticate)
  // Receiving has connections of its own, and whatever it needs goes through them.
  const receiving: Deps = { ...deps, db: deps.db.reserved }
  const authenticateSender = withSessions(
    receiving,
    authenticator(receiving, passwordLogin(receiving), bearerVerifier(receiving)),
  )
  const authenticateAny: Authenticate = (request, reply) =>
    request.routeOptions.config?.share === 'receiving'
      ? authenticateSender(request, reply)
      : authenticateReader(request, reply)
  const keyReader = keyAuthenticator(deps)
  const keySender = keyAuthenticator(receiving)
  const devices = deviceDoor(receiving, authenticateAny)
  const authenticateDevice: Authenticate = (request, reply) => {
    const { access, share } = request.routeOptions.config
    if (access !== 'key') return devices.authenticate(request, reply)
    return (share === 'receiving' ? keySender : keyReader)(request, reply)
  }
  const http = await createHttpServer({
    log,
    metrics: deps.metrics,
    baseUrl,
    trustProxy,
    requestsPerMinute,
    shares: { receiving: submissionsAtOnce, others: requestsAtOnce },
    authenticate: authenticateAny,
    devices: { ...devices, authenticate: authenticateDevice },
    signInAddress: loginAddress,
    application,
  })
  countRefusals(http.app, deps.metrics)
  const description = new ApiDescription(http.routes.entries, { ...about, version, tags, models })
  http.app.decorate('description', description)
  credentialJobs(deps)
  uploadJobs(deps)
  linkedDataJobs(deps)
  mandates(deps)
  backupJobs(deps, version)

  await http.pages(async (pages) => {
    await welcomeRoutes(application)(pages, deps)
    await webRoutes(application, tiles)(pages, deps)
    await healthRoutes({ migrationsFolder })(pages, deps)
    await avatarRoutes(pages, deps)
    await signIn(logIn)(pages, deps)
    await oauth(authenticate)(pages, deps)
    await docsRoutes({ title: about.title, description, staticFolder })(pages, deps)
  })
  const submissions = new Submissions(receiving)
  http.app.addHook('onClose', () => compilers.close())
  await http.protocol(async (scope) => {
    await openRosa(submissions, receiving)(scope, deps)
    await briefcase(compilers)(scope, deps)
  })
  await http.api(async (api) => {
    await rootRoutes(description)(api, deps)
    await userRoutes({ limitSearches: (request) => limitAddressSearches(deps, request) })(api, deps)
    await profiles(api, deps)
    await account(api, deps)
    await organizations(organizationTeams)(api, deps)
    await teamRoutes(api, deps)
    await projects(dataviewsOf(deps.db), projectForms(dataviewsGone))(api, deps)
    await forms(compilers, dataviewsGone)(api, deps)
    await keys(api, deps)
    await codes(api, deps)
    await drafts(compilers, dataviewsGone)(api, deps)
    await libraryRoutes(compilers)(api, deps)
    await apiSubmissions(submissions)(api, receiving)
    await attachments(filesOfDataview(deps.db))(api, deps)
    await noteRoutes(api, deps)
    await reviewRoutes(api, deps)
    await metadataRoutes(api, deps)
    await data(api, deps)
    await exportRoutes(api, deps)
    await dataviews(api, deps)
    await charts(api, deps)
    await statsRoutes(api, deps)
    await imports(compilers)(api, deps)
    await messageRoutes(api, deps)
    await activityRoutes(api, deps)
    await widgetRoutes(api, deps)
    await restServices(api, deps)
    await plans(compilers)(api, deps)
    await example(compilers, submissions)(api, deps)
    await operations({ version, migrationsFolder })(api, deps)
  })
  return http
}

export { startForwarding } from './features/rest-services/index.js'
