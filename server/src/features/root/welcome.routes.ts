// The start page: a person who opens the address in a browser learns what this is and where to go on.

import type { Room } from '../../platform/deps.js'
import {
  docsPath,
  escapeHtml,
  Html,
  htmlErrors,
  inMedia,
  type PagesWithoutRoutes,
  page,
  Unchanged,
} from '../../platform/http/index.js'
import { isOwnMachine } from '../../platform/outbound/index.js'
import { Type } from '../../platform/schema/index.js'

/** `application`: what browsers are shown instead. Programs get the plain page, with or without it. */
export const welcomeRoutes =
  (application?: PagesWithoutRoutes): Room =>
  async (app) => {
    app.get(
      '/',
      {
        config: { operation: 'welcome.show', access: 'anyone', renderError: htmlErrors },
        schema: { summary: 'Start page', tags: ['pages'], response: { 200: Html, 304: Unchanged } },
      },
      async (request, reply) => {
        if (application?.isPage(request)) return application.sendPage(request, reply) as never
        return reply.type('text/html; charset=utf-8').header('vary', 'Accept').send(welcome(request.origin))
      },
    )

    app.get(
      '/favicon.svg',
      {
        config: { operation: 'welcome.icon', access: 'anyone' },
        schema: {
          summary: 'Icon of the pages',
          tags: ['pages'],
          response: { 200: inMedia(Type.String({ description: 'An SVG image.', examples: [icon] }), 'image/svg+xml') },
        },
      },
      async (_request, reply) =>
        reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
    )
  }

/** Three stalks and their band. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-linecap="round"
  stroke-width="3"><path stroke="#1f6f54" d="M16 29V3M10 29C12 20 10 12 5 6M22 29C20 20 22 12 27 6"/>
  <path stroke="#d8a531" d="M9 20h14"/></svg>`

/** What a phone needs: an address that leads to this machine from elsewhere. */
const phoneWords = (origin: string): string =>
  isOwnMachine(new URL(origin).hostname.replace(/^\[|\]$/g, ''))
    ? `A phone cannot reach <code>${escapeHtml(origin)}</code>: that is this machine alone. Start the server with
<code>HOST=0.0.0.0</code> and use its address in your network, or give it a name with TLS (README, Phones).`
    : `In ODK Collect or KoboCollect the address of the server is <code>${escapeHtml(origin)}/</code> and the username
of whoever collects.`

const welcome = (origin: string) =>
  page(
    'Welcome',
    `<h1>Sheaf is running</h1>
<p>This server collects form data: forms are published, field workers send submissions, and teams read, review,
chart, export and forward them.</p>
<ul>
<li><a href="/accounts/login/">Sign in</a>, or <a href="/accounts/register/">make an account</a></li>
<li><a href="${docsPath}">Read and try the API</a></li>
<li><a href="/api/v1/openapi.json">Its OpenAPI description</a></li>
</ul>
<p>To make an account from the command line of the server (it prints the whole command when it starts):</p>
<pre>npx sheaf user create</pre>
<p>Or over the API:</p>
<pre>curl ${escapeHtml(origin)}/api/v1/profiles \\
  -d username=ana -d email=ana@example.org \\
  -d first_name=Ana -d password=…</pre>
<p>${phoneWords(origin)}</p>`,
  )
