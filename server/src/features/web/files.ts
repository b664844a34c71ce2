// Files as they were built. What there is is listed once; a name that is not on the list never reaches the disk.
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { notFound } from '../../platform/http/index.js'

const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '.js': 'text/javascript; charset=utf-8',
    '.mjs': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
    '.json': 'application/json; charset=utf-8',
    '.webmanifest': 'application/manifest+json; charset=utf-8',
    '.png': 'image/png',
    '.webp': 'image/webp',
    '.woff2': 'font/woff2',
    '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
)

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface Packed {
  readonly encoding: string | undefined
  readonly bytes: Promise<Buffer>
}

interface FoundFile {
  readonly type: string
  readonly file: Packed
}

/** Undefined where there is no such file. */
export type FindFile = (name: string, accepted: string) => FoundFile | undefined

export const fileFinder = (folder: string): FindFile => {
  const names = new Set(existsSync(folder) ? readdirSync(folder) : [])
  /** All of them together are a few megabytes. */
  const kept = new Map<string, Packed>()
  return (name, accepted) => {
    const type = types.get(extname(name))
    if (type === undefined || !names.has(name)) return undefined
    const taken = new Set(accepted.split(',').map((one) => one.split(';', 1)[0]?.trim().toLowerCase()))
    const found = encodings.find(([encoding, end]) => names.has(name + end) && taken.has(encoding))
    const stored = name + (found?.[1] ?? '')
    const file = kept.get(stored) ?? { encoding: found?.[0], bytes: readFile(join(folder, stored)) }
    kept.set(stored, file)
    return { type, file }
  }
}

/** Throws a 404 where there is none. */
export const sendFile = async (
  reply: FastifyReply,
  found: FoundFile | undefined,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<never> => {
  if (found === undefined) throw notFound()
  const { encoding, bytes } = found.file
  return reply
    .headers({
      'content-type': found.type,
      vary: 'Accept-Encoding',
      ...headers,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    })
    .send(await bytes) as never
}
