// What pages may load. Nothing but this server's own files: no inline script, no other host, unless the operator named one for
// pictures of maps. Workers obey the policy that they come with, so files have it too.
import type { Tiles } from './tiles.js'

const policy = (directives: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')

const own = (tiles?: Tiles) => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'blob:', 'data:', ...(tiles?.origins ?? [])],
  'media-src': ["'self'"],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'"],
  'manifest-src': ["'self'"],
  'frame-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
})

export const applicationPolicy = (tiles?: Tiles): string => policy(own(tiles))

/** Where forms are filled in. The renderer reads XPath by WebAssembly, makes its styles itself (they carry the nonce of the page),
 * draws maps in workers out of its own text, and plays what it holds in memory. The form editor shows the page within its own. */
export const fillPolicy = (tiles?: Tiles, nonce?: string): string =>
  policy({
    ...own(tiles),
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'style-src': ["'self'", ...(nonce === undefined ? [] : [`'nonce-${nonce}'`])],
    'media-src': ["'self'", 'blob:'],
    'worker-src': ["'self'", 'blob:'],
    'frame-ancestors': ["'self'"],
  })
