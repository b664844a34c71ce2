// Bodies with files.

export interface PartOfBody {
  readonly name: string
  readonly filename?: string
  readonly type?: string
  readonly bytes: Buffer | string
}

export const boundary = 'eYkL7uCmCTWFXBdP7n2rz3'
export const multipartType = `multipart/form-data; boundary=${boundary}`

export const multipart = (parts: readonly PartOfBody[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, filename, type, bytes }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}${type === undefined ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n`,
      ),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
