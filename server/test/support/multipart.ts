// Multipart bodies, byte for byte as clients write them.
export interface Part {
  name: string
  /** With it the part is a file. */
  filename?: string
  type?: string
  content: string | Buffer
}

export interface MultipartBody {
  body: Buffer
  headers: { 'content-type': string }
}

export const multipart = (parts: readonly Part[], boundary = 'xYzZy0123456789'): MultipartBody => {
  const chunks: Buffer[] = []
  for (const { name, filename, type, content } of parts) {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const contentType = type === undefined ? '' : `\r\nContent-Type: ${type}`
    chunks.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${contentType}\r\n\r\n`),
    )
    chunks.push(Buffer.isBuffer(content) ? content : Buffer.from(content), Buffer.from('\r\n'))
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return { body: Buffer.concat(chunks), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}
