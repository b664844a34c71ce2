import { AppError } from '../../../platform/http/index.js'

/** As RFC 6750 section 3.1 has it. */
export const insufficientScope = (scope: string) =>
  new AppError({
    code: 'oauth.insufficient_scope',
    status: 403,
    message: `The access token does not have the scope "${scope}".`,
    headers: {
      'www-authenticate': `Bearer realm="api",error="insufficient_scope",error_description="The access token lacks a scope.",scope="${scope}"`,
    },
  })
