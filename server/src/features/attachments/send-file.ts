// The bytes of a file or of a picture of it, for a caller who was found to be allowed to see them.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { extension } from 'mime-types'
import type { Deps } from '../../platform/deps.js'
import { FileMissing } from '../../platform/files/index.js'
import { absent, sendContent } from '../../platform/http/index.js'
import { noPicture } from './attachments.errors.js'
import type { Attachment } from './attachments.queries.js'
import { ImageRefused, isPictureSize, type PictureSize, pictureType } from './pictures.js'
import { Thumbnails } from './thumbnails.js'

export class FileSender {
  readonly thumbnails: Thumbnails
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
    this.thumbnails = new Thumbnails(deps)
  }

  sendOriginal(request: FastifyRequest, reply: FastifyReply, { name, mimetype, bytes, sha256, fileKey }: Attachment) {
    return sendContent(request, reply, {
      name,
      mimetype,
      tag: sha256,
      find: async () => ({
        bytes,
        open: async (range) =>
          (await this.#deps.files.get(fileKey, range && { range }).catch((error) => this.#unlessGone(error))).stream,
      }),
    })
  }

  sendPicture(request: FastifyRequest, reply: FastifyReply, original: Attachment, size: string) {
    const type = pictureType(original.mimetype)
    if (!isPictureSize(size) || type === undefined) throw noPicture()
    return sendContent(request, reply, {
      name: `${original.name.replace(/\.[^.]*$/, '')}-${size}.${extension(type) || 'bin'}`,
      mimetype: type,
      tag: `${original.sha256}-${size}`,
      find: async () => {
        const picture = await this.#picture(
          original,
          size,
          request.caller.isAnonymous ? request.ip : String(request.caller.id),
        )
        return {
          bytes: picture.length,
          open: async (range) =>
            Readable.from([range === undefined ? picture : picture.subarray(range.start, range.end + 1)]),
        }
      },
    })
  }

  async #picture(original: Attachment, size: PictureSize, by: string): Promise<Buffer> {
    try {
      return await this.thumbnails.get(original, size, by)
    } catch (error) {
      if (error instanceof ImageRefused) throw noPicture()
      return this.#unlessGone(error)
    }
  }

  /** Removed for good in this moment, or lost: whoever runs the server should hear of it. */
  #unlessGone(error: unknown): never {
    if (!(error instanceof FileMissing)) throw error
    this.#deps.log.warn({ file: error.key }, 'the bytes of an attachment are missing')
    throw absent()
  }
}
