// Plain pages: no script, no address outside this server, readable on a phone, in a light and a dark look.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { staticFolder } from '../../paths.js'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** The colours of every page, here and in the application. */
export const tokens = readFileSync(join(staticFolder, 'tokens.css'), 'utf8')
  .replace(/\/\*[^*]*\*\//g, '')
  .replace(/\s+/g, ' ')

const style = `
  body { margin: 0 auto; max-width: 40rem; padding: 3rem 1.25rem; font: 1.0625rem/1.6 var(--font);
         color: var(--ink); background: var(--paper) }
  h1 { font-size: 1.75rem; line-height: 1.2 } a { color: var(--accent) }
  code, pre { font-family: var(--mono); font-size: .9375rem }
  pre { overflow-x: auto; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: .5rem }`

/** `body` is markup: whatever a caller sent must be escaped before it comes here. `more` is style of this page alone, `language` what
 * its root says of it. */
export const page = (title: string, body: string, more = '', language = 'lang="en"'): string => `<!doctype html>
<html ${language}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg">
<title>${escapeHtml(title)} · Sheaf</title>
<style>${tokens}${style}${more}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
