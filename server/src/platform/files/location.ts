import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FilesUrlRefused } from './errors.js'

export interface S3Location {
  readonly kind: 's3'
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
  readonly region?: string
  /** Of a server that is not Amazon's. */
  readonly endpoint?: string
  readonly hasPathStyle: boolean
  /** Absent: the SDK looks for them (environment, profile, instance role). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

export interface FolderLocation {
  readonly kind: 'folder'
  readonly path: string
}

export type Location = FolderLocation | S3Location

/**
 * A folder (`/srv/files`, `files`, `file:///srv/files`), a bucket of Amazon's (`s3://bucket/prefix?region=eu-west-1`) or
 * of another server (`s3://KEY:SECRET@host:9000/bucket/prefix?ssl=false`). Throws FilesUrlRefused.
 */
export function parseFilesUrl(url: string): Location {
  if (/^s3:/i.test(url)) return parseS3(url)
  if (/^file:/i.test(url)) return { kind: 'folder', path: parse(url, fileURLToPath) }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url))
    throw new FilesUrlRefused('Files can be in a folder or at s3://, nowhere else')
  if (url.trim() === '' || url.includes('\0')) throw new FilesUrlRefused('The folder of the files has no name')
  return { kind: 'folder', path: isAbsolute(url) ? url : resolve(url) }
}

function parseS3(text: string): S3Location {
  const url = parse(text, (value) => new URL(value))
  const query = new Map(url.searchParams)
  const take = (name: string) => {
    const value = query.get(name)
    query.delete(name)
    return value
  }
  const region = take('region')
  const hasSsl = takeSwitch('ssl', take('ssl'))
  const pathStyle = takeSwitch('pathStyle', take('pathStyle'))
  const [unknown] = query.keys()
  if (unknown !== undefined) throw new FilesUrlRefused(`The address of the files has an unknown option ${unknown}`)

  const parts = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map((part) => parse(part, decodeURIComponent))
  // Amazon's buckets need no host; a name and a password, or a port, belong to one.
  const isServer = url.username !== '' || url.port !== ''
  const [bucket = '', ...prefix] = isServer ? parts : [url.hostname, ...parts]
  if (!/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,62}$/.test(bucket)) {
    throw new FilesUrlRefused(
      'The address of the files names no bucket: s3://bucket or s3://KEY:SECRET@host:port/bucket',
    )
  }
  if (isServer && (url.username === '') !== (url.password === '')) {
    throw new FilesUrlRefused('The address of the files needs both a key and a secret, or neither')
  }
  if (!isServer && (hasSsl !== undefined || pathStyle !== undefined)) {
    throw new FilesUrlRefused('ssl and pathStyle are for s3://KEY:SECRET@host:port/bucket')
  }
  return {
    kind: 's3',
    bucket,
    prefix: prefix.map((part) => `${part}/`).join(''),
    hasPathStyle: pathStyle ?? isServer,
    ...(region !== undefined && { region }),
    ...(isServer && {
      endpoint: `${hasSsl === false ? 'http' : 'https'}://${url.host}`,
      region: region ?? 'us-east-1',
    }),
    ...(url.username !== '' && {
      credentials: {
        accessKeyId: parse(url.username, decodeURIComponent),
        secretAccessKey: parse(url.password, decodeURIComponent),
      },
    }),
  }
}

function takeSwitch(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined || value === 'true' || value === 'false')
    return value === undefined ? undefined : value === 'true'
  throw new FilesUrlRefused(`${name} in the address of the files is true or false`)
}

function parse<T>(text: string, parser: (text: string) => T): T {
  try {
    return parser(text)
  } catch {
    // Without the cause, which quotes the address and with it the secret.
    throw new FilesUrlRefused(
      'The address of the files cannot be read; a / + or @ in the key or secret is written %2F, %2B, %40',
    )
  }
}
