import { defineSettings, setting } from '../../../platform/config/index.js'

const day = 86_400

export const oauthSettings = defineSettings('OAuth and OpenID Connect', {
  accessTokenSeconds: setting.integer('ACCESS_TOKEN_EXPIRE_SECONDS', {
    default: 36_000,
    min: 1,
    max: 366 * day,
    doc: 'Lifetime of an OAuth access token, in seconds.',
  }),
  refreshTokenSeconds: setting.integer('REFRESH_TOKEN_EXPIRE_SECONDS', {
    default: 0,
    min: 0,
    max: 10 * 366 * day,
    doc: 'Lifetime of an OAuth refresh token, in seconds; each use gives a new one. 0 is no end.',
  }),
  codeSeconds: setting.integer('AUTHORIZATION_CODE_EXPIRE_SECONDS', {
    default: 600,
    min: 1,
    max: 600,
    doc: 'Lifetime of an authorization code, in seconds.',
  }),
  isPkceRequired: setting.boolean('OAUTH_PKCE_REQUIRED', {
    default: false,
    doc: 'Whether every client must use PKCE. Public clients must in any case.',
  }),
  keyRotationDays: setting.integer('OIDC_KEY_ROTATION_DAYS', {
    default: 90,
    min: 2,
    max: 3660,
    doc: 'Age at which the key that signs ID tokens is followed by a new one, in days.',
  }),
})
