// The API's description, made from the schemas that validate and serialise, and a page to read and try it.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import type { App } from './room.js'

export const docsPath = '/api/v1/docs'

export interface ApiDescription {
  title: string
  version: string
  description: string
  tags: readonly { name: string; description: string }[]
}

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: 'Username or e-mail address, and password.' },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The permanent token of the account: `Token <api_token>`.',
  },
  tempToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'A token that expires: `TempToken <temp_token>`.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An OAuth access token; it needs the scope `read` or `write`.',
  },
} as const

const signedIn = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

const consumes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** Our own words and checks are for the validator; the description shows standard keywords. */
const withoutAnnotations = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, value]) => [key, withoutAnnotations(value)]),
  )
}

export const describeApi = async (app: App, { title, version, description, tags }: ApiDescription): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description },
      tags: [...tags],
      components: { securitySchemes },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
    transform: ({ schema, url, route }) => {
      const { operation, access } = route.config ?? {}
      const documented = {
        ...schema,
        ...(schema?.body !== undefined && { body: withoutAnnotations(schema.body), consumes }),
        operationId: operation,
        security: access === 'user' ? signedIn : [{}, ...signedIn],
      } as FastifySchema
      return { schema: documented, url }
    },
  })
}

/** Scripts and styles from this server alone; the page writes styles into its elements. */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 40"><text x="0" y="29" fill="#fff"
  font-family="system-ui, sans-serif" font-size="26" font-weight="600">Sheaf</text></svg>`

export const serveDocs = async (pages: App, title: string): Promise<void> => {
  await pages.register(swaggerUi, {
    routePrefix: docsPath,
    staticCSP: docsPolicy,
    logo: { type: 'image/svg+xml', content: Buffer.from(logo) },
    theme: { title },
    uiConfig: {
      layout: 'BaseLayout',
      deepLinking: true,
      // The resources first: nobody reads two hundred operations in a row.
      docExpansion: 'none',
      validatorUrl: null,
      tryItOutEnabled: true,
    },
  })
}
