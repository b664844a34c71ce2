// E-mail verification: /profiles/verify_email and /profiles/send_verification_email.

import type { Room } from '../../platform/deps.js'
import {
  asksForPage,
  errors,
  escapeHtml,
  faultsFrom,
  forbidden,
  NoBody,
  notOffered,
  orPage,
  page,
  pageHeaders,
  pageOrJsonErrors,
  refusals,
  sendJsonText,
  throwFaults,
  withParameters,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { redirectsOf } from '../../platform/settings.js'
import { limitGuesses } from '../credentials/index.js'
import { getProfile } from './profiles.routes.js'
import { RedirectUrl } from './profiles.schemas.js'
import { profileSettings } from './profiles.settings.js'
import { arrivalOf, requestVerification, verificationJobs, verifyEmail } from './verification.js'

const verifiedPage = (username: string): string =>
  page(
    'Address verified',
    `<h1>Thank you, ${escapeHtml(username)}</h1>
<p>Your e-mail address is verified. What you were invited to is shared with you.</p>
<p><a href="/accounts/login/">Sign in</a></p>`,
  )

export const verificationRoutes: Room = async (app, deps) => {
  const { config, db } = deps
  const { isVerificationEnabled, verifiedKeyText } = config.of(profileSettings)
  const mayLeadTo = redirectsOf(config)
  verificationJobs(deps)

  app.get(
    '/profiles/verify_email',
    {
      // Mail programs look at links with HEAD; that must not use the key up.
      exposeHeadRoute: false,
      config: {
        operation: 'profile.verify_email',
        access: 'anyone',
        changes: true,
        renderError: pageOrJsonErrors,
        fromOtherSites: 'Mails are read on pages of other sites. The key of the link decides, not who has signed in.',
      },
      schema: {
        summary: 'Verify an e-mail address',
        description:
          'The link of the verification mail: a page for browsers. Redirects to `redirect_url` when one is given.',
        tags: ['profiles'],
        querystring: Type.Object({
          verification_key: Type.Optional(Type.String({ maxLength: 200, description: 'The key of the mail.' })),
          redirect_url: Type.Optional(RedirectUrl(mayLeadTo)),
        }),
        response: {
          200: orPage(
            Type.Object(
              { username: Type.String(), is_email_verified: Type.Boolean() },
              { examples: [{ username: 'ana', is_email_verified: true }] },
            ),
          ),
          204: NoBody,
          302: NoBody,
          ...errors(400, 403, 429),
        },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      if (!isVerificationEnabled) throw notOffered()
      if (request.validationError) throw request.validationError
      if (verifiedKeyText === undefined) return reply.code(204).send(null)
      const { verification_key: key, redirect_url: redirectUrl } = request.query
      const { username } = await limitGuesses(deps, 'verification_guess', request, () =>
        verifyEmail(deps, key, verifiedKeyText),
      )
      if (redirectUrl === undefined && asksForPage(request)) {
        return reply
          .headers(pageHeaders)
          .type('text/html; charset=utf-8')
          .serializer(String)
          .send(verifiedPage(username) as never)
      }
      if (redirectUrl === undefined) return reply.send({ username, is_email_verified: true })
      return reply.redirect(withParameters(redirectUrl, { username, is_email_verified: 'true' }), 302)
    },
  )

  app.post(
    '/profiles/send_verification_email',
    {
      config: { operation: 'profile.send_verification_email', access: 'user' },
      schema: {
        summary: 'Send the verification mail again',
        description: 'For the caller’s own account. The address counts as unverified until the key comes back.',
        tags: ['profiles'],
        body: Type.Object(
          { username: Type.String({ maxLength: 254 }), redirect_url: Type.Optional(RedirectUrl(mayLeadTo)) },
          { examples: [{ username: 'ana' }] },
        ),
        response: {
          200: Type.String({ examples: ['Verification email has been sent'] }),
          204: NoBody,
          ...errors(401, 403, 429),
          ...refusals(400, Type.String()),
        },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const { body, caller } = request
      if (!isVerificationEnabled) throw notOffered()
      throwFaults(faultsFrom(request.validationError))
      if (body.username !== caller.username) throw forbidden()
      if (verifiedKeyText === undefined) return reply.code(204).send(null)
      const profile = await getProfile(deps, String(caller.id))
      const { email } = profile
      if (email === null) return sendJsonText(reply, 'Verification email has NOT been sent', 400)
      await db.transaction((tx) =>
        requestVerification(tx, deps, caller.id, {
          email,
          arrival: arrivalOf(request),
          redirectUrl: body.redirect_url,
        }),
      )
      return sendJsonText(reply, 'Verification email has been sent')
    },
  )
}
