// The start page: a person who opens the address in a browser learns what this is and where to go on.

import type { Room } from '../../platform/deps.js'
import { docsPath, escapeHtml, htmlErrors, page } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

export const welcomeRoutes: Room = async (app) => {
  app.get(
    '/',
    {
      config: { operation: 'welcome.show', access: 'anyone', renderError: htmlErrors },
      schema: { summary: 'Start page', tags: ['pages'], response: { 200: Type.String() } },
    },
    async ({ origin }, reply) => reply.type('text/html; charset=utf-8').send(welcome(origin)),
  )
}

const welcome = (origin: string) =>
  page(
    'Welcome',
    `<h1>Sheaf is running</h1>
<p>This server collects form data: forms are published, field workers send submissions, and teams read, review,
chart, export and forward them.</p>
<ul>
<li><a href="${docsPath}">Read and try the API</a></li>
<li><a href="/api/v1/openapi.json">Its OpenAPI description</a></li>
</ul>
<p>To make an account from the command line of the server:</p>
<pre>npx sheaf user create</pre>
<p>Or over the API:</p>
<pre>curl ${escapeHtml(origin)}/api/v1/profiles \\
  -d username=ana -d email=ana@example.org \\
  -d first_name=Ana -d password=…</pre>`,
  )
