// /avatar/{hash}: the picture that stands for an account, drawn from the hash alone, so that it tells nothing else.
import { toSvg } from 'jdenticon'
import type { Room } from '../../platform/deps.js'
import { errors, inMedia } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

const sizePixels = 128

export const avatarRoutes: Room = async (app) => {
  app.get(
    '/avatar/:hash',
    {
      config: { operation: 'avatar.get', access: 'anyone' },
      schema: {
        summary: 'Picture of an account',
        tags: ['pages'],
        params: Type.Object({
          hash: Type.String({ pattern: '^[0-9a-f]{32}$', examples: ['5d41402abc4b2a76b9719d911017c592'] }),
        }),
        response: {
          200: inMedia(
            Type.String({
              description: 'An SVG image.',
              examples: ['<svg xmlns="http://www.w3.org/2000/svg">…</svg>'],
            }),
            'image/svg+xml',
          ),
          ...errors(404),
        },
      },
    },
    async ({ params }, reply) =>
      reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(toSvg(params.hash, sizePixels)),
  )
}
