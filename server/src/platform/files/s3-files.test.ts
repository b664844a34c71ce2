import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3StandIn, startS3StandIn } from '../../../test/support/s3.js'
import { type Files, openFiles, StoreUnavailable } from './index.js'

describe('files in S3', () => {
  let standIn: S3StandIn
  let files: Files
  beforeAll(async () => {
    standIn = await startS3StandIn()
    files = await openFiles(standIn.url.replace('?', '/some/prefix?'), { folder: '/nowhere' })
  })
  afterAll(async () => {
    files.close()
    await standIn.close()
  })

  it('keep their content type', async () => {
    await files.put('typed', Readable.from([Buffer.from('x')]), { contentType: 'image/png' })
    const found = await files.get('typed')
    found.stream.destroy()
    expect(found.contentType).toBe('image/png')
  })

  it('fail their check when the bucket is not there', async () => {
    const other = await openFiles(standIn.url.replace('/stand-in', '/no-such-bucket'), { folder: '/nowhere' })
    await expect(other.check()).rejects.toThrow()
    other.close()
  })

  it('fail a put, and let go of its source, when the server is not there', { timeout: 30_000 }, async () => {
    const gone = await startS3StandIn()
    const unreachable = await openFiles(gone.url, { folder: '/nowhere' })
    await gone.close()
    const source = Readable.from(Array.from({ length: 400 }, () => Buffer.alloc(64 * 1024)))
    const failure = await unreachable.put('a', source).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect((failure as StoreUnavailable).cause).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') })
    expect(source.destroyed).toBe(true)
    unreachable.close()
  })
})
