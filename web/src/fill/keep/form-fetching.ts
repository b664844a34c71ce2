// A form from the server: its definition, and what its manifest lists.
import { isOurs, retryAfterOf } from './outcomes'
import { endIn, messageOf } from './server-words'
import type { FormAddress, KeyEnd } from './types'

export interface Listed {
  readonly name: string
  readonly hash: string
  readonly path: string
}

export interface Fetched {
  readonly xml: string
  readonly title: string
  readonly version: string
  readonly files: readonly Listed[]
}

/** The server gives it to nobody, or not to this person. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused'
  readonly status: number
  readonly end: KeyEnd | undefined

  constructor(status: number, message: string, end?: KeyEnd) {
    super(message)
    this.status = status
    this.end = end
  }
}

/** There is neither a line nor a copy. */
export class FormUnreachable extends Error {
  override readonly name = 'FormUnreachable'
  /** Somebody answered that it cannot be had just now: milliseconds until it can be asked for again. */
  readonly busyFor: number | undefined

  constructor(message: string, busyFor?: number) {
    super(message)
    this.busyFor = busyFor
  }
}

/** Where nobody says when, and where somebody says years. */
const usualPause = 10_000
const longestPause = 600_000

/** A server that has too much to do, or a proxy that waits for it to start. 511: a network wants to be signed in to. */
export const busyFor = ({ status, headers }: Pick<Response, 'status' | 'headers'>): number | undefined =>
  status === 429 || (status >= 500 && status !== 511)
    ? Math.min(longestPause, Math.max(1000, retryAfterOf(headers) ?? usualPause))
    : undefined

/** Why it was not given. A network or a proxy before the server refuses nothing in its name. */
export const refusedBy = async (answer: Response): Promise<FormRefused | FormUnreachable> => {
  const busy = busyFor(answer)
  if (busy !== undefined || !isOurs(answer)) return new FormUnreachable(String(answer.status), busy)
  return new FormRefused(answer.status, messageOf(await answer.text().catch(() => '')), endIn(answer.headers))
}

/** Large lists of choices over a bad line. */
const limitMilliseconds = 90_000

const get = async (path: string, isSignedIn: boolean): Promise<Response> => {
  const answer = await fetch(path, {
    headers: { 'x-openrosa-version': '1.0' },
    credentials: isSignedIn ? 'same-origin' : 'omit',
    signal: AbortSignal.timeout(limitMilliseconds),
  }).catch((error: unknown) => {
    throw new FormUnreachable(String(error))
  })
  if (!answer.ok) throw await refusedBy(answer)
  return answer
}

const parse = (xml: string): Document => new DOMParser().parseFromString(xml, 'text/xml')

const textIn = (element: Element | Document, name: string): string =>
  [...element.getElementsByTagName('*')].find(({ localName }) => localName === name)?.textContent?.trim() ?? ''

/** Addresses of the manifest name the server as it calls itself, which need not be what this browser calls it. */
const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, location.href)
  return pathname + search
}

const listedIn = (manifest: string): Listed[] =>
  [...parse(manifest).getElementsByTagName('*')]
    .filter(({ localName }) => localName === 'mediaFile')
    .map((file) => ({
      name: textIn(file, 'filename'),
      hash: textIn(file, 'hash'),
      path: pathOf(textIn(file, 'downloadUrl')),
    }))

const versionIn = (definition: Document): string => {
  const instance = [...definition.getElementsByTagName('*')].find(({ localName }) => localName === 'instance')
  return instance?.firstElementChild?.getAttribute('version') ?? ''
}

/** A key is all that its holder signs in with; who happens to be signed in beside it does not matter. */
export const isByKey = (door: string): boolean => door.startsWith('/key/')

const definitionOf = ({ door, formId }: FormAddress): string => `${door}/forms/${formId}/form.xml`

/** Throws a `FormRefused` where the link or the key of the form takes nothing any more. */
export const askWhetherTaken = async (address: FormAddress): Promise<void> => {
  await get(definitionOf(address), false)
}

export const fetchForm = async (address: FormAddress): Promise<Fetched> => {
  const { door, formId, whose } = address
  const isSignedIn = whose !== '' && !isByKey(door)
  const [xml, manifest] = await Promise.all(
    [definitionOf(address), `${door}/xformsManifest/${formId}`].map(async (path) =>
      (await get(path, isSignedIn)).text(),
    ),
  )
  const definition = parse(xml ?? '')
  // Networks that want to be signed in to answer everything with a page of theirs.
  if (![...definition.getElementsByTagName('*')].some(({ localName }) => localName === 'model')) {
    throw new FormUnreachable('The answer is no form.')
  }
  return {
    xml: xml ?? '',
    title: textIn(definition, 'title'),
    version: versionIn(definition),
    files: listedIn(manifest ?? ''),
  }
}

/** Undefined where the server has no such file. */
export const fetchBytes = async (path: string): Promise<Blob | undefined> => {
  const answer = await get(path, true).catch((error: unknown) => {
    if (error instanceof FormRefused) return undefined
    throw error
  })
  return answer?.blob()
}
