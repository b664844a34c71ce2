import { randomBytes } from 'node:crypto'
import type { Deps } from '../../../platform/deps.js'
import { type FieldErrors, notFound, throwFaults } from '../../../platform/http/index.js'
import type { Static } from '../../../platform/schema/index.js'
import { tooManyClients } from './clients.errors.js'
import { type Client, findOwnClient, insertClient, updateClientSecret } from './clients.queries.js'
import type { ClientView, NewClientBody } from './clients.schemas.js'
import { addressesIn, kindFault } from './redirect-addresses.js'

/** Nobody needs more; without a bound, one account could fill the table. */
const mostClients = 100

export const clientSecretHash = ({ secrets }: Pick<Deps, 'secrets'>, secret: string): string =>
  secrets.hash('oauth-client', secret)

const newSecret = () => randomBytes(48).toString('hex')

/** The secret is in this answer and nowhere else. */
export interface ClientWithSecret {
  client: Client
  secret: string
}

export const registerClient = async (
  deps: Deps,
  userId: number,
  body: Static<typeof NewClientBody>,
): Promise<ClientWithSecret> => {
  const isPublic = body.client_type?.toLowerCase() === 'public'
  const redirectUris = addressesIn(body.redirect_uris)
  const postLogoutUris = addressesIn(body.post_logout_redirect_uris ?? '')
  throwFaults(kindFaults({ isPublic, redirectUris, postLogoutUris }))
  const secret = isPublic ? '' : newSecret()
  const client = await insertClient(
    deps.db,
    {
      clientId: randomBytes(20).toString('hex'),
      secretHash: secret === '' ? undefined : clientSecretHash(deps, secret),
      userId,
      name: body.name,
      redirectUris,
      postLogoutUris,
      createdAt: deps.clock.now(),
    },
    mostClients,
  )
  if (client === undefined) throw tooManyClients(mostClients)
  return { client, secret }
}

/** Of both lists together: a client is of one kind. */
export const kindFaults = ({
  isPublic,
  redirectUris,
  postLogoutUris,
}: Pick<Client, 'isPublic' | 'redirectUris' | 'postLogoutUris'>): FieldErrors => {
  const first = kindFault(isPublic, redirectUris)
  const fault = first ?? kindFault(isPublic, [...redirectUris, ...postLogoutUris])
  if (fault === undefined) return {}
  return { [first === undefined ? 'post_logout_redirect_uris' : 'redirect_uris']: [fault] }
}

/** Somebody else's is missing. */
export const getOwnClient = async ({ db }: Deps, pathId: string, userId: number): Promise<Client> => {
  const client = /^\d{1,9}$/.test(pathId) ? await findOwnClient(db, Number(pathId), userId) : undefined
  if (client === undefined) throw notFound()
  return client
}

/** The old one ends at once; what was granted stays. */
export const renewSecret = async (deps: Deps, client: Client): Promise<ClientWithSecret> => {
  if (client.isPublic) return { client, secret: '' }
  const secret = newSecret()
  await updateClientSecret(deps.db, client.id, clientSecretHash(deps, secret))
  return { client, secret }
}

export const clientView = (client: Client): Static<typeof ClientView> => ({
  id: client.id,
  name: client.name,
  client_id: client.clientId,
  client_type: client.isPublic ? 'public' : 'confidential',
  authorization_grant_type: 'authorization-code',
  redirect_uris: client.redirectUris.join(' '),
  post_logout_redirect_uris: client.postLogoutUris.join(' '),
})
