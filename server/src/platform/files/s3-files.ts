// Loaded only where files are in S3: the SDK costs memory and start-up time (see open.ts).

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { FileMissing, FileRangeRefused, StoreFull, StoreUnavailable } from './errors.js'
import type { ByteRange, ByteSource, FileContent, Files, ListedFile, StoredFile } from './files.js'
import { checkKey, checkRange, isKey } from './key.js'
import type { S3Location } from './location.js'
import { consuming, Meter } from './meter.js'

/** S3's smallest: two in flight and one being filled are 15 MB a put, and 10,000 of them a file of 50 GB. */
const partBytes = 5 * 1024 * 1024
const partsInFlight = 2

interface Bucket {
  readonly client: S3Client
  at(key: string): { Bucket: string; Key: string }
}

export function openS3Files(location: S3Location): Files {
  const client = new S3Client({
    ...(location.region !== undefined && { region: location.region }),
    ...(location.endpoint !== undefined && { endpoint: location.endpoint }),
    ...(location.credentials && { credentials: location.credentials }),
    forcePathStyle: location.hasPathStyle,
    // The SDK's own checksums (since 3.729) travel as trailers that many other S3 servers refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Without a limit a dead server holds a request for ever.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 120_000 },
  })
  const bucket: Bucket = {
    client,
    at: (key) => ({ Bucket: location.bucket, Key: location.prefix + checkKey(key) }),
  }
  return {
    put: (key, source, options = {}) => consuming(source, () => put(bucket, key, source, options)),
    get: (key, options = {}) => get(bucket, key, options.range),
    delete: async (key) => {
      const place = bucket.at(key)
      await client.send(new DeleteObjectCommand(place)).catch((error) => Promise.reject(troubleOf(error)))
    },
    exists: (key) => exists(bucket, key),
    list: () => list(client, location),
    signedUrl: async (key, { expiresInSeconds, contentDisposition, contentType }) => {
      const command = new GetObjectCommand({
        ...bucket.at(key),
        ...(contentDisposition !== undefined && { ResponseContentDisposition: contentDisposition }),
        ...(contentType !== undefined && { ResponseContentType: contentType }),
      })
      return getSignedUrl(client, command, { expiresIn: expiresInSeconds })
    },
    check: () => check(client, { Bucket: location.bucket, Key: `${location.prefix}.check` }),
    close: () => client.destroy(),
  }
}

async function put(
  { client, at }: Bucket,
  key: string,
  source: ByteSource,
  { contentType, maxBytes }: { contentType?: string; maxBytes?: number },
): Promise<StoredFile> {
  const place = at(key)
  const meter = new Meter(maxBytes)
  const upload = new Upload({
    client,
    params: { ...place, Body: meter, ...(contentType !== undefined && { ContentType: contentType }) },
    partSize: partBytes,
    queueSize: partsInFlight,
    // A failed upload deletes its parts; they cost money and no listing of the bucket shows them.
    leavePartsOnError: false,
  })
  // One failure brings the other side down with errors of its own; the first says what happened.
  let failure: { error: unknown } | undefined
  const fail = (error: unknown) => {
    failure ??= { error }
    // Otherwise the source would wait for a reader for ever.
    meter.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  await Promise.all([pipeline(source, meter).catch(fail), upload.done().catch((error) => fail(troubleOf(error)))])
  if (failure) throw failure.error
  return meter.result()
}

async function get({ client, at }: Bucket, key: string, range?: ByteRange): Promise<FileContent> {
  const place = at(key)
  if (range) checkRange(range)
  try {
    const answer = await client.send(
      new GetObjectCommand({ ...place, ...(range && { Range: `bytes=${range.start}-${range.end ?? ''}` }) }),
    )
    const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1] ?? answer.ContentLength
    return {
      stream: answer.Body instanceof Readable ? answer.Body : Readable.from([]),
      bytes: Number(total ?? 0),
      ...(answer.ContentType !== undefined && { contentType: answer.ContentType }),
    }
  } catch (error) {
    if (statusOf(error) === 404) throw new FileMissing(key, { cause: error })
    if (statusOf(error) === 416) throw new FileRangeRefused(`${key} ends before ${range?.start}`, { cause: error })
    throw troubleOf(error)
  }
}

async function exists({ client, at }: Bucket, key: string): Promise<boolean> {
  const place = at(key)
  try {
    await client.send(new HeadObjectCommand(place))
    return true
  } catch (error) {
    if (statusOf(error) === 404) return false
    throw troubleOf(error)
  }
}

/** Needs the right to list the bucket, which nothing else does. S3 lists in the byte order of the keys. */
async function* list(client: S3Client, { bucket, prefix }: S3Location): AsyncGenerator<ListedFile> {
  for (let last: string | undefined; ; ) {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        ...(prefix !== '' && { Prefix: prefix }),
        ...(last !== undefined && { StartAfter: last }),
      }),
    )
    for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
      last = Key
      const key = Key.slice(prefix.length)
      if (isKey(key)) yield { key, bytes: Size, modifiedAt: LastModified }
    }
    if (page.IsTruncated !== true) return
  }
}

/**
 * An object under a name that no key can have: read while it is there, written when it is not. So one request proves
 * the server, the credentials and the bucket, and the first one also that we may write, with no more rights than files
 * need (asking for the bucket itself needs the right to list it).
 */
async function check(client: S3Client, place: { Bucket: string; Key: string }): Promise<void> {
  try {
    await client.send(new HeadObjectCommand(place))
  } catch (error) {
    // Who may not list a bucket is told 403 for an object that is missing.
    if (statusOf(error) !== 404 && statusOf(error) !== 403) throw error
    await client.send(new PutObjectCommand({ ...place, Body: 'written to see whether files can be' }))
  }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

/** Errors of the network have a code or a name, and no status. */
const networkFault = /^(E[A-Z]+|UND_\w+)$/

const troubleOf = (error: unknown): unknown => {
  const status = statusOf(error)
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (status === 507 || /Quota|StorageFull/.test(name))
    return new StoreFull('The store of files is full', { cause: error })
  const isAway =
    status === undefined ? networkFault.test(code) || name === 'TimeoutError' : status >= 500 || status === 429
  return isAway ? new StoreUnavailable('The store of files cannot be used now', { cause: error }) : error
}
