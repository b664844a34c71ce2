import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FilesUrlRefused, parseFilesUrl } from './index.js'

describe('the address of the files', () => {
  it.each([
    ['/srv/files', '/srv/files'],
    ['file:///srv/my%20files', '/srv/my files'],
    ['data/files', resolve('data/files')],
  ])('%s is a folder', (url, path) => {
    expect(parseFilesUrl(url)).toEqual({ kind: 'folder', path })
  })

  it("with only a bucket is Amazon's, with credentials from the environment", () => {
    expect(parseFilesUrl('s3://bucket/some/prefix?region=eu-west-1')).toEqual({
      kind: 's3',
      bucket: 'bucket',
      prefix: 'some/prefix/',
      region: 'eu-west-1',
      hasPathStyle: false,
    })
  })

  it('with a key, a secret and a host is a server of its own, encrypted unless told otherwise', () => {
    const credentials = { accessKeyId: 'KEY', secretAccessKey: 'SE/CR+ET@' }
    const expected = { kind: 's3', bucket: 'bucket', prefix: '', region: 'us-east-1', hasPathStyle: true, credentials }
    expect(parseFilesUrl('s3://KEY:SE%2FCR%2BET%40@minio:9000/bucket')).toEqual({
      ...expected,
      endpoint: 'https://minio:9000',
    })
    expect(parseFilesUrl('s3://KEY:SE%2FCR%2BET%40@minio/bucket?ssl=false&pathStyle=false&region=x')).toEqual({
      ...expected,
      endpoint: 'http://minio',
      hasPathStyle: false,
      region: 'x',
    })
  })

  it.each([
    '',
    'ftp://host/files',
    's3://',
    's3://KEY:hunter2@host:9000',
    's3://KEY@host:9000/bucket',
    's3://KEY:hun/ter2@host/bucket',
    's3://KEY:hun%ter2@host/bucket',
    's3://KEY:hunter2@host/bucket?sll=false',
    's3://KEY:hunter2@host/bucket?ssl=no',
    's3://bucket?ssl=false',
  ])('%j is refused without quoting it', (url) => {
    expect(() => parseFilesUrl(url)).toThrow(FilesUrlRefused)
    expect(() => parseFilesUrl(url)).not.toThrow(/hun|ter2/)
  })
})
