import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import type { Static } from '../../platform/schema/index.js'
import { credentialSettings, currentToken, type KnownToken, openToken } from '../credentials/index.js'
import { avatarAddress, fullName, profileAddress, userAddress } from '../profiles/index.js'
import type { Account } from './account.queries.js'
import type { AccountView, TokensView } from './account.schemas.js'

const known = (sealed: Buffer | null, createdAt: Date | null): KnownToken | undefined =>
  sealed === null || createdAt === null ? undefined : { sealed, createdAt }

/** Whether both can be shown as they are. */
export const hasTokens = (deps: Deps, account: Account): boolean => {
  const { isTempTokenEnabled } = deps.config.of(credentialSettings)
  const isShowable = (kind: 'api' | 'temp', token: KnownToken | undefined) =>
    openToken(deps, kind, account.id, token) !== undefined
  return (
    isShowable('api', known(account.apiSealed, account.apiCreatedAt)) &&
    (!isTempTokenEnabled || isShowable('temp', known(account.tempSealed, account.tempCreatedAt)))
  )
}

/** For a program that acts with an access token: the account's own tokens would outlive it. */
export const accountViewForPrograms = (
  { secrets }: Deps,
  origin: string,
  account: Account,
): Static<typeof AccountView> => ({
  url: profileAddress(origin, account.username),
  username: account.username,
  name: fullName(account),
  email: account.email ?? '',
  city: account.city,
  country: account.country,
  organization: account.organization,
  website: account.website,
  social: account.social,
  avatar: avatarAddress({ origin, secrets }, account),
  require_auth: account.requireAuth,
  user: userAddress(origin, account.username),
  api_token: '',
  temp_token: '',
})

/** Both tokens in clear; one that is missing or too old is made anew. */
export const tokensOf = async (db: Db, deps: Deps, account: Account): Promise<Static<typeof TokensView>> => {
  const { isTempTokenEnabled } = deps.config.of(credentialSettings)
  return {
    api_token: await currentToken(db, deps, 'api', account.id, known(account.apiSealed, account.apiCreatedAt)),
    temp_token: isTempTokenEnabled
      ? await currentToken(db, deps, 'temp', account.id, known(account.tempSealed, account.tempCreatedAt))
      : '',
  }
}

/** For a session, which whoever sits down at the browser has: they see who it is, and no token. */
export const accountViewForSessions = (deps: Deps, origin: string, account: Account): Static<typeof AccountView> => ({
  ...accountViewForPrograms(deps, origin, account),
  ...(account.isOperator && { is_operator: true }),
})

export const accountView = async (
  db: Db,
  deps: Deps,
  origin: string,
  account: Account,
): Promise<Static<typeof AccountView>> => ({
  ...accountViewForSessions(deps, origin, account),
  ...(await tokensOf(db, deps, account)),
})
