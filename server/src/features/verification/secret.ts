// Whether the secret in force opens what is sealed here: somebody may have changed SECRET_KEY, or started with another folder.
import type { Deps } from '../../platform/deps.js'
import { isSecretOf, leaveMark } from '../../platform/secrets/index.js'
import { openToken } from '../credentials/index.js'
import { opensSealed } from '../rest-services/index.js'
import type { Findings } from './findings.js'
import { findSomeToken, listSealedServices } from './secret.queries.js'

type SecretDeps = Pick<Deps, 'db' | 'secrets' | 'clock' | 'config'>

const lostServices = async ({ db, secrets }: SecretDeps) => {
  const services = await listSealedServices(db)
  return { total: services.length, lost: services.filter((service) => !opensSealed(secrets, service)) }
}

/** A database of before there were marks: what was sealed last tells. */
const opensNothing = async (deps: SecretDeps): Promise<boolean> => {
  const token = await findSomeToken(deps.db)
  if (token !== undefined) return openToken(deps, 'api', token.userId, token) === undefined
  const { total, lost } = await lostServices(deps)
  return total > 0 && lost.length === total
}

export interface ChangedSecret {
  /** Rest services in all, and those that cannot be read. */
  readonly services: number
  readonly lostServices: number
}

/** Called at each start. Undefined: all is well, and the secret is known from now on. */
export const findChangedSecret = async (deps: SecretDeps): Promise<ChangedSecret | undefined> => {
  if ((await isSecretOf(deps.db, deps.secrets)) === undefined && !(await opensNothing(deps))) {
    await leaveMark(deps.db, deps.secrets)
  }
  if ((await isSecretOf(deps.db, deps.secrets)) === true) return undefined
  const { total, lost } = await lostServices(deps)
  return { services: total, lostServices: lost.length }
}

/** In words, for whoever runs the server. */
export const secretWarning = ({ services, lostServices: lost }: ChangedSecret): string =>
  `The secret in force (SECRET_KEY, or DATA_DIR/secret.key) is not the one that this database was filled with.
What was sealed with that one cannot be read: the secrets of ${lost} of ${services} rest services, which send nothing; API and
temporary tokens, sign-ins, tokens and secrets of OAuth clients, which are refused; keys that sign ID tokens, which are
replaced. Passwords, forms, records and files are not touched.
  If you have the former secret: stop, set SECRET_KEY to it (or put secret.key back), and start again.
  If it is lost: \`sheaf secret accept\` keeps the new one. People get new tokens at /api/v1/user, OAuth clients are
  registered again, and managers set "active" of their rest services to true, which gives each a new secret.`

export const verifySecret = async (deps: SecretDeps, findings: Findings): Promise<void> => {
  if ((await isSecretOf(deps.db, deps.secrets)) === false) {
    findings.add('secret_key', 1, [{ what: 'SECRET_KEY, or DATA_DIR/secret.key, was changed or is of another server' }])
  }
  const { lost } = await lostServices(deps)
  const examples = lost.map(({ id, formId }) => ({ form: formId, what: `rest service ${id}` }))
  findings.add('sealed_secret', lost.length, examples)
}
