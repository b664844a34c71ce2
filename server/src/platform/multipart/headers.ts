// What the headers of a part say: its name, its file's name, its type.

export interface PartInfo {
  readonly name: string
  /** Undefined: a plain field. */
  readonly filename: string | undefined
  readonly type: string
}

const patternOf = (name: string) => new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i')
const patterns = { name: patternOf('name'), filename: patternOf('filename') }

const parameter = (value: string, name: keyof typeof patterns): string | undefined => {
  const match = patterns[name].exec(value)
  if (match === null) return undefined
  // A backslash escapes a quote and itself; before anything else it is a character, as in C:\photo.jpg.
  return match[1]?.replace(/\\(["\\])/g, '$1') ?? match[2]
}

/** RFC 5987: `filename*=UTF-8''na%C3%AFve.jpg`. */
const extended = (value: string): string | undefined => {
  const encoded = /;\s*filename\*=utf-8'[^']*'([^;\s]+)/i.exec(value)?.[1]
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** Undefined for a part that does not say what it is. */
export const partInfo = (headers: string): PartInfo | undefined => {
  let disposition: string | undefined
  let type = ''
  for (const line of headers.split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (name === 'content-disposition') disposition = line.slice(colon + 1).trim()
    else if (name === 'content-type') type = line.slice(colon + 1).trim()
  }
  if (disposition === undefined || !/^form-data\b/i.test(disposition)) return undefined
  const name = parameter(disposition, 'name')
  if (name === undefined) return undefined
  return {
    name,
    filename: extended(disposition) ?? parameter(disposition, 'filename'),
    type: type.split(';')[0]?.trim() ?? '',
  }
}
