// What somebody's things are called: learned by walking through everything that they are shown. An address in an answer, an id
// in a list and a field by its name all tell; nothing here knows which rooms there are.
import type { Operation, Parameter, Schema } from './description.js'
import type { Context } from './part.js'
import { type Answer, type Caller, jsonOf, textOf } from './request.js'

/** Words for one thing that differ from place to place. The word of the address stands for all. */
const synonyms: Readonly<Record<string, string>> = {
  '': 'users',
  xform: 'forms',
  formid: 'forms',
  form: 'forms',
  charts: 'forms',
  stats: 'forms',
  data: 'forms',
  submissions: 'forms',
  dataid: 'records',
  instance: 'records',
  owner: 'users',
  username: 'users',
  user: 'users',
  profile: 'users',
  profiles: 'users',
  orgs: 'users',
  org: 'users',
  organization: 'users',
  shared_with: 'users',
  created_by: 'users',
  user__username: 'users',
  submitted_by__username: 'users',
  project: 'projects',
  dataview: 'dataviews',
  media: 'files',
  file: 'files',
  label: 'labels',
  tag_name: 'labels',
  tags: 'labels',
}

/** Accounts are no secret: anybody may know that there is one. A picture is drawn for whatever is asked for. The
 * documentation is for everybody. */
export const openKinds: ReadonlySet<string> = new Set(['users', 'avatar', 'docs'])

const idFields = ['id', 'formid', 'projectid', 'dataviewid', '_id', 'pk', 'invitation_id', 'org', 'username', 'version']
const mostOfKind = 8
const mostPerOperation = 4

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

export class Known {
  /** By kind. */
  readonly ids = new Map<string, Set<string>>()
  /** By the name of the field under which they were shown. */
  readonly shown = new Map<string, Set<string>>()
  readonly #proven = new Map<string, Set<string>>()
  /** What was read, as a list of addresses: the same again is a snapshot. */
  readonly paths = new Map<string, Operation>()

  note(kind: string, value: unknown): void {
    if (!isScalar(value) || String(value) === '' || String(value).length > 200) return
    const known = this.ids.get(kind) ?? new Set()
    if (known.size < mostOfKind) known.add(String(value))
    this.ids.set(kind, known)
  }

  /** It was there when it was asked for. */
  prove(kind: string, value: string): void {
    this.#proven.set(kind, (this.#proven.get(kind) ?? new Set()).add(value))
  }

  /** Keeps of each kind what was there, where any was. */
  settle(): void {
    for (const [kind, proven] of this.#proven) this.ids.set(kind, proven)
  }

  /** Numbers only, where there are any: a name beside them comes from somewhere else. Accounts have both. */
  of(kind: string): string[] {
    const all = [...(this.ids.get(kind) ?? this.shown.get(kind) ?? [])]
    const numbers = all.filter((one) => /^\d+$/.test(one))
    if (kind === 'users') return [...all.filter((one) => !numbers.includes(one)), ...numbers]
    return numbers.length > 0 ? numbers : all
  }

  /** Everything that a text refers to by address. */
  noteAddresses(text: string, kinds: ReadonlySet<string>): void {
    for (const [, segment = '', id = ''] of text.matchAll(/\/([a-z_-]+)\/([\w.-]+)/g)) {
      const kind = synonyms[segment] ?? segment
      if (kinds.has(kind) && !kinds.has(synonyms[id] ?? id))
        this.note(kind, id.replace(/\.(?:json|xml|csv|geojson)$/, ''))
    }
    for (const [, username = '', form = '', file = ''] of text.matchAll(
      /\/([\w.-]+)\/xformsMedia\/(\w+)\/([\w.-]+)/g,
    )) {
      this.note('users', username)
      this.note('forms', form)
      this.note('xformsMedia', file)
    }
  }

  noteFields(value: unknown, kind: string, depth = 0): void {
    if (depth > 6 || value === null || typeof value !== 'object') return
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 20)) {
        if (isScalar(one)) this.note(kind, one)
        else this.noteFields(one, kind, depth + 1)
      }
      return
    }
    if (depth <= 1) {
      const field = idFields.find((name) => name in value)
      if (field !== undefined) this.note(kind, (value as Record<string, unknown>)[field])
    }
    for (const [name, inner] of Object.entries(value)) {
      if (isScalar(inner)) {
        const seen = this.shown.get(name) ?? new Set()
        if (seen.size < mostOfKind) seen.add(String(inner))
        this.shown.set(name, seen)
      } else this.noteFields(inner, synonyms[name] ?? name, depth + 2)
    }
  }
}

/** The kind of what a name in a path stands for: the word before it, or its own name. */
export const kindInPath = (path: string, name: string): string => {
  const before = path
    .slice(0, path.indexOf(`{${name}}`))
    .split('/')
    .filter(Boolean)
  const word = before.at(-1) ?? ''
  if (name === 'file') return 'xformsMedia'
  if (word.startsWith('{') || (name !== 'pk' && synonyms[name] !== undefined)) return synonyms[name] ?? `${name}s`
  return synonyms[word] ?? word
}

/** The kind of what a field or a parameter refers to, if it refers to anything. */
export const kindOfName = (name: string, kinds: ReadonlySet<string>, schema?: Schema): string | undefined => {
  // A question in the query language, by its former name; and what opens something for whoever has it, which is no name.
  if (name === 'data' || name === 'key') return undefined
  const stem = name.replace(/(?:_ids?|__id)$/, '')
  // A text with the name of a thing is a word about it: the note of a review.
  if ([schema?.type].flat().includes('string') && stem === name && synonyms[name] === undefined) return undefined
  const kind = synonyms[name] ?? synonyms[stem] ?? [stem, `${stem}s`].find((one) => kinds.has(one))
  return kind !== undefined && kinds.has(kind) ? kind : undefined
}

/** All kinds that there are: each has a name in a path. */
export const kindsIn = (operations: readonly Operation[]): ReadonlySet<string> =>
  new Set(operations.flatMap(({ path, pathNames }) => pathNames.map((name) => kindInPath(path, name))))

/** Not of interest to anybody but those who run the server, or different each time. */
const isLeftOut = ({ path }: Operation): boolean =>
  /^\/(?:metrics|healthz|readyz|favicon|\.well-known|o\/\.well-known|oidc|o\/authorize$)/.test(path) ||
  /regenerate|openapi|verify_email/.test(path)

const parentOf = (operation: Operation): string => {
  const words = operation.path.split('/').filter((word) => word !== '' && !word.startsWith('{'))
  const last = words.at(-1) ?? ''
  return operation.path === '/api/v1/data/{pk}' ? 'records' : (synonyms[last] ?? last)
}

/** Walks through all that the caller is shown. */
export const learn = async (context: Context, caller: Caller): Promise<Known> => {
  const known = new Known()
  const kinds = kindsIn(context.operations)
  known.note('users', caller.name)
  const reads = context.operations.filter((operation) => operation.isSafe && !isLeftOut(operation))
  const shownAddresses = new Set<string>()
  const read = async (operation: Operation, path: string): Promise<void> => {
    if (known.paths.has(path)) return
    known.paths.set(path, operation)
    const answer = await context.send({ method: 'GET', path, caller, headers: { accept: 'application/json' } })
    if (answer.status === 200) {
      noteAnswer(known, operation, answer, kinds)
      const values = patternOf(operation).exec(path.replace(/\?.*/, ''))?.slice(1) ?? []
      for (const [place, name] of operation.pathNames.entries())
        known.prove(kindInPath(operation.path, name), decodeURIComponent(values[place] ?? ''))
    } else known.paths.delete(path)
    for (const [address] of textOf(answer).matchAll(
      /\/(?:api\/v1|[\w.-]+)\/(?:files|media|export|xformsMedia)\/[^\s"'<>]+/g,
    ))
      shownAddresses.add(address.replaceAll('&amp;', '&'))
    if (answer.status === 400 && !path.includes('?')) {
      for (const query of queries(operation, known, kinds)) await read(operation, `${path}?${query}`)
    }
  }
  // What has fewer names in its address tells those of what has more.
  for (const round of [0, 1, 2, 3, 1, 2]) {
    const due = reads.filter(({ pathNames }) => pathNames.length === round)
    for (const operation of due) {
      const choices = combinations(operation, known)
      await Promise.all(choices.slice(0, mostPerOperation ** Math.max(1, round)).map((path) => read(operation, path)))
    }
  }
  // What hangs on a thing is listed by the thing's name.
  for (const operation of reads.filter(({ pathNames }) => pathNames.length === 0)) {
    const named = operation.query.flatMap(({ name }) => {
      const kind = kindOfName(name, kinds)
      if (kind === undefined || openKinds.has(kind) || kind === 'labels') return []
      return known
        .of(kind)
        .slice(0, mostPerOperation)
        .map((id) => `${operation.path}?${name}=${id}`)
    })
    await Promise.all(named.map((path) => read(operation, path)))
  }
  // Some have an address that nobody can guess.
  for (const path of [...shownAddresses].slice(0, mostShown)) {
    const operation = reads.find((one) => patternOf(one).test(path.replace(/\?.*/, '')))
    if (operation !== undefined) await read(operation, path)
  }
  known.settle()
  return known
}

const mostShown = 20

const patternOf = ({ path }: Operation): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`)

const noteAnswer = (known: Known, operation: Operation, answer: Answer, kinds: ReadonlySet<string>): void => {
  const text = textOf(answer)
  known.noteAddresses(text, kinds)
  const body = jsonOf<unknown>(answer)
  if (body !== undefined) known.noteFields(body, parentOf(operation))
}

/** What to ask besides: each parameter with what is known of it, and pairs of a kind and an id. */
export const queries = (operation: Operation, known: Known, kinds: ReadonlySet<string>): string[] => {
  const pairs = operation.query.flatMap(({ name }) => {
    const id = operation.query.find((one) => one.name === name.replace(/_type$/, '_id') && one.name !== name)
    if (id === undefined) return []
    return holders.flatMap((type) => {
      const value = known.of(kindOfName(type, kinds) ?? '').find((one) => /^\d+$/.test(one))
      return value === undefined ? [] : [`${name}=${type}&${id.name}=${value}`]
    })
  })
  const single = operation.query.map((parameter) => {
    const { name } = parameter
    const kind = kindOfName(name, kinds)
    const values = kind === undefined ? [...(known.shown.get(name) ?? [])] : known.of(kind)
    return `${name}=${encodeURIComponent(values[0] ?? sample(name, parameter))}`
  })
  return [...pairs, ...single]
}

/** What a thing can hang on, where a kind and an id are said apart. */
const holders = ['xform', 'project', 'user']

/** A value that fits, as far as the description tells. */
export const sample = (name: string, { schema, example }: Partial<Parameter> = {}): string => {
  const value = example ?? schema?.examples?.[0] ?? schema?.example ?? schema?.enum?.[0]
  if (value !== undefined) return typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (/field|group|column|name$/.test(name)) return 'name'
  if (name === 'ending') return 'xlsx'
  return schema?.type === 'boolean' ? 'true' : '0'
}

/** Kinds of things that somebody has; the rest are words of the address itself. */
const isLearned = (kind: string): boolean => kind !== 'form.'

/** All addresses that an operation has with what is known. */
export const combinations = (operation: Operation, known: Known, most = mostPerOperation): string[] =>
  operation.pathNames.reduce<string[]>(
    (paths, name) => {
      const kind = kindInPath(operation.path, name)
      const ids = known.of(kind).slice(0, most)
      const values = ids.length > 0 || isLearned(kind) ? ids : [sample(name, operation.pathParameters[name])]
      return paths.flatMap((path) => values.map((value) => path.replace(`{${name}}`, encodeURIComponent(value))))
    },
    [operation.path],
  )
