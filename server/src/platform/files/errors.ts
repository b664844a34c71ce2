/** There is no file under the key. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'
  readonly key: string

  constructor(key: string, options?: ErrorOptions) {
    super(`There is no file ${key}`, options)
    this.key = key
  }
}

/** The stream brought more than was allowed; nothing of it was kept. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

/** Keys are made by programs: a refused one is a mistake of ours, never of the person who uploads. */
export class FileKeyRefused extends Error {
  override readonly name = 'FileKeyRefused'

  constructor(key: string, reason: string, options?: ErrorOptions) {
    super(`${JSON.stringify(key.slice(0, 100))} cannot be the key of a file: ${reason}`, options)
  }
}

/** The range begins behind the end of the file, or ends before it begins. */
export class FileRangeRefused extends Error {
  override readonly name = 'FileRangeRefused'
}

/** The setting that says where files are is not understood. Never quotes it: it may hold a secret. */
export class FilesUrlRefused extends Error {
  override readonly name = 'FilesUrlRefused'
}

/** There is no room for more; what is there can be read. Nothing of the file was kept. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
}

/** The store cannot be reached or cannot work now; the same call may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
