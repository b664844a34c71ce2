// An S3 server in this process.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Store {
  listObjects(
    bucket: string,
    options: object,
  ): Promise<{ objects: { key: string; size: number; lastModifiedDate: Date }[] }>
  getResourcePath(bucket: string, key: undefined, resource: 'uploads'): string
  putContent(path: string, content: unknown): Promise<unknown>
}

interface S3rver {
  readonly store: Store
  configureBuckets(): Promise<unknown>
  callback(): RequestListener
}

type S3rverClass = new (options: {
  directory: string
  silent: boolean
  vhostBuckets: boolean
  configureBuckets: { name: string }[]
}) => S3rver

export interface S3StandIn {
  /** For openFiles. */
  readonly url: string
  /** How many uploads in parts were begun and neither completed nor aborted. */
  pendingUploads(): Promise<number>
  close(): Promise<void>
}

/** S3 itself lists a thousand at a time; others may list less. */
export async function startS3StandIn({ mostListed = 1000 } = {}): Promise<S3StandIn> {
  // It has no types, and is a development dependency: loaded here, not when the server is.
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3rverClass
  const directory = await mkdtemp(join(tmpdir(), 'sheaf-s3-'))
  const bucket = 'stand-in'
  const s3rver = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: bucket }] })
  await s3rver.configureBuckets()
  const uploads = s3rver.store.getResourcePath(bucket, undefined, 'uploads')
  showObjectsWhole(s3rver.store)

  const handle = s3rver.callback()
  const server = createServer((request, response) => {
    // AbortMultipartUpload, which s3rver answers with 405.
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === `/${bucket}/`) {
      listPage(s3rver.store, bucket, searchParams, mostListed).then((xml) =>
        response.setHeader('content-type', 'application/xml').end(xml),
      )
      return
    }
    const uploadId = searchParams.get('uploadId')
    if (request.method !== 'DELETE' || uploadId === null) return handle(request, response)
    rm(join(uploads, uploadId), { recursive: true, force: true }).finally(() => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}?ssl=false`,
    pendingUploads: async () => (await readdir(uploads).catch((): string[] => [])).length,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** S3 never shows half an object. s3rver writes objects in place, so two puts of one key would mix. */
function showObjectsWhole(store: Store): void {
  const putContent = store.putContent.bind(store)
  store.putContent = async (path, content) => {
    const aside = `${path}-${randomBytes(6).toString('hex')}`
    const result = await putContent(aside, content)
    await rename(aside, path)
    return result
  }
}

/** ListObjectsV2 as S3 answers it. s3rver lists in another order, and its second page needs a cipher that is gone. */
async function listPage(store: Store, bucket: string, asked: URLSearchParams, mostListed: number): Promise<string> {
  const [prefix, after] = [asked.get('prefix') ?? '', asked.get('start-after') ?? '']
  const { objects } = await store.listObjects(bucket, {})
  const found = objects
    .filter(({ key }) => key.startsWith(prefix) && key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const entries = found
    .slice(0, mostListed)
    .map(
      ({ key, size, lastModifiedDate }) =>
        `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${lastModifiedDate.toISOString()}</LastModified></Contents>`,
    )
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${found.length > mostListed}</IsTruncated>${entries.join('')}</ListBucketResult>`
}
