// Loaded only where files are in S3: the SDK costs memory and start-up time (see open.ts).

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { budgets } from '../../budgets.js'
import { FileMissing, FileRangeRefused, StoreFull, StoreUnavailable } from './errors.js'
import type { ByteRange, ByteSource, FileContent, Files, ListedFile, StoredFile } from './files.js'
import { checkKey, checkRange, isKey } from './key.js'
import type { S3Location } from './location.js'
import { consuming, Meter } from './meter.js'
import { openS3Client, type S3Limits } from './s3-client.js'

/** S3's smallest: two in flight and one being filled are 15 MB a put, and 10,000 of them a file of 50 GB. */
const partBytes = 5 * 1024 * 1024
const partsInFlight = 2

interface Bucket {
  readonly client: S3Client
  at(key: string): { Bucket: string; Key: string }
}

export function openS3Files(location: S3Location, limits: S3Limits = budgets.files): Files {
  const client = openS3Client(location, limits)
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
  await Promise.all([
    pipeline(source, meter).catch(fail),
    // What broke the source comes out of the upload too, and is no trouble of the store.
    upload.done().catch((error) => fail(error === meter.errored ? error : troubleOf(error))),
  ])
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
    const stream = answer.Body instanceof Readable ? answer.Body : Readable.from([])
    const bytes = wholeLength(answer, range)
    if (bytes === undefined) {
      stream.destroy()
      throw new StoreUnavailable('The store of files answers with other bytes than were asked for')
    }
    return {
      stream,
      bytes,
      ...(answer.ContentType !== undefined && { contentType: answer.ContentType }),
    }
  } catch (error) {
    if (statusOf(error) === 404) throw new FileMissing(key, { cause: error })
    if (statusOf(error) === 416) throw new FileRangeRefused(`${key} ends before ${range?.start}`, { cause: error })
    throw troubleOf(error)
  }
}

/** Undefined: it does not say how long the file is, or sends another part of it than the one that was asked for. */
const wholeLength = (
  { ContentLength: length, ContentRange: part }: Pick<GetObjectCommandOutput, 'ContentLength' | 'ContentRange'>,
  range: ByteRange | undefined,
): number | undefined => {
  if (range === undefined) return part === undefined ? length : undefined
  const [, start, end, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(part ?? '') ?? []
  const isAsked = Number(start) === range.start && Number(end) === Math.min(range.end ?? Infinity, Number(total) - 1)
  return isAsked && length === Number(end) - range.start + 1 ? Number(total) : undefined
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
async function* list(client: S3Client, location: S3Location): AsyncGenerator<ListedFile> {
  for (let last: string | undefined; ; ) {
    const page = await pageBehind(client, location, last)
    yield* filesOn(page, location)
    if (page.IsTruncated !== true) return
    const end = page.Contents?.at(-1)?.Key ?? ''
    // The same page again and again would be a list without an end.
    if (!isBehind(end, last ?? '')) throw new StoreUnavailable('The store of files lists the same files again')
    last = end
  }
}

function* filesOn({ Contents = [] }: ListObjectsV2CommandOutput, { prefix }: S3Location): Generator<ListedFile> {
  for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents) {
    const key = Key.startsWith(prefix) ? Key.slice(prefix.length) : ''
    if (isKey(key)) yield { key, bytes: Size, modifiedAt: LastModified }
  }
}

const pageBehind = (client: S3Client, { bucket, prefix }: S3Location, last: string | undefined) =>
  client
    .send(
      new ListObjectsV2Command({
        Bucket: bucket,
        ...(prefix !== '' && { Prefix: prefix }),
        ...(last !== undefined && { StartAfter: last }),
      }),
    )
    .catch((error) => Promise.reject(troubleOf(error)))

const isBehind = (key: string, other: string): boolean => Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0

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

/** Whatever it is, the caller can do nothing about it, and it may be mended: wrong credentials, a bucket that has moved, an
 * answer that is no answer of S3. The log has the cause. */
const troubleOf = (error: unknown): unknown => {
  if (error instanceof StoreUnavailable) return error
  const { name = '' } = error as { name?: string }
  if (statusOf(error) === 507 || /Quota|StorageFull/.test(name)) {
    return new StoreFull('The store of files is full', { cause: error })
  }
  return new StoreUnavailable('The store of files cannot be used now', { cause: error })
}
