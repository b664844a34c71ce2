import { limits } from './limits.js'
import { didYouMean } from './nearest.js'
import type { ProblemList } from './problems.js'
import type { Row, Table } from './tables/table.js'
import { builtInNamespaces, isName, isPlainName, prefixOf } from './xml/names.js'

const yesWords = new Set(['yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'true()'])
const noWords = new Set(['no', 'No', 'NO', 'false', 'False', 'FALSE', 'false()'])

export const isYes = (text: string | undefined): boolean => text !== undefined && yesWords.has(text)
const isNo = (text: string | undefined): boolean => text !== undefined && noWords.has(text)

/** `yes` and its kin as an XPath boolean; anything else is an expression and stays. */
export const truthExpression = (text: string): string =>
  yesWords.has(text) ? 'true()' : noWords.has(text) ? 'false()' : text

/** What clients compare with the words true and false; anything else stays for them to judge. */
const truthWord = (text: string | null): string | null =>
  isYes(text ?? undefined) ? 'true' : isNo(text ?? undefined) ? 'false' : text

export interface Settings {
  formId: string
  title: string
  rootName: string
  version: string | null
  defaultLanguage: string
  style: string | null
  instanceName: string | null
  instanceId: string
  hasInstanceId: boolean
  submissionUrl: string | null
  publicKey: string | null
  autoSend: string | null
  autoDelete: string | null
  isClientEditable: boolean
  instanceXmlns: string | null
  namespaces: Map<string, string>
  /** Attributes of the root element: `attribute::x`, prefix and delimiter. */
  attributes: [string, string][]
  allowsChoiceDuplicates: boolean
  isFlat: boolean
  addsNoneOption: boolean
  /** The settings row, for locating what its expressions say. */
  row: number | null
}

export interface SettingsOptions {
  fileName?: string | undefined
  rootName?: string | undefined
}

const fileStem = (fileName: string | undefined): string | undefined => {
  const base = fileName
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.[^.]*$/, '')
    .trim()
  return base === '' ? undefined : base
}

/** Settings as far as the other sheets need them for being read. */
export const readingOptions = (table: Table | undefined): { defaultLanguage: string; collapseSpaces: boolean } => {
  const row = table?.rows[0]
  return {
    defaultLanguage: row?.get('default_language') ?? 'default',
    collapseSpaces: !isNo(row?.get('clean_text_values')),
  }
}

/** `overrides` are settings given as survey rows, such as a row of type form_title. */
export const readSettings = (
  table: Table | undefined,
  overrides: ReadonlyMap<string, string>,
  options: SettingsOptions,
  problems: ProblemList,
  warnings: ProblemList,
): Settings => {
  const row = table?.rows[0]
  const get = (key: string): string | null => overrides.get(key) ?? row?.get(key) ?? null
  const formId = get('form_id') ?? get('id_string') ?? fileStem(options.fileName) ?? 'data'
  const rootName = get('name') ?? options.rootName ?? 'data'
  const publicKey = get('public_key')
  const omitsInstanceId = isYes(get('omit_instanceid') ?? undefined)
  checkSettings(row, rootName, omitsInstanceId && publicKey !== null, problems, warnings)
  const namespaces = readNamespaces(row, problems)
  return {
    formId,
    title: get('form_title') ?? formId,
    rootName,
    version: get('version'),
    defaultLanguage: get('default_language') ?? 'default',
    style: get('style'),
    instanceName: get('instance_name'),
    instanceId: get('instance_id') ?? 'uid',
    hasInstanceId: !omitsInstanceId,
    submissionUrl: get('submission_url'),
    publicKey,
    autoSend: truthWord(get('auto_send')),
    autoDelete: truthWord(get('auto_delete')),
    isClientEditable: isYes(get('client_editable') ?? undefined),
    instanceXmlns: get('instance_xmlns'),
    namespaces,
    attributes: readAttributes(row, get, namespaces, problems),
    allowsChoiceDuplicates: isYes(get('allow_choice_duplicates') ?? undefined),
    isFlat: isYes(get('flat') ?? undefined),
    addsNoneOption: isYes(get('add_none_option') ?? undefined),
    row: row?.number ?? null,
  }
}

const checkSettings = (
  row: Row | undefined,
  rootName: string,
  lacksInstanceId: boolean,
  problems: ProblemList,
  warnings: ProblemList,
): void => {
  const place = (key: string, value: string | null) => ({
    sheet: 'settings',
    row: row?.number ?? null,
    column: row?.header(key) ?? key,
    value,
  })
  if (row?.get('form_id') !== undefined && row.get('id_string') !== undefined)
    warnings.add(
      'two-form-ids',
      "Both form_id and id_string are given; form_id is used. Remove the column 'id_string'.",
      place('id_string', row.get('id_string') ?? null),
    )
  if (!isPlainName(rootName))
    problems.add(
      'invalid-name',
      `The form's name '${rootName}' is no valid element name. Use letters, digits, '_', '-' and '.', a letter first.`,
      place('name', rootName),
    )
  const editable = row?.get('client_editable')
  if (editable !== undefined && !isYes(editable) && !isNo(editable))
    warnings.add(
      'unclear-setting',
      `The setting client_editable is yes or no, not '${editable}'. It is taken for no.`,
      place('client_editable', editable),
    )
  if (lacksInstanceId)
    problems.add(
      'encryption-needs-instance-id',
      'An encrypted form (public_key) needs its instanceID. Remove omit_instanceID.',
      place('omit_instanceid', row?.get('omit_instanceid') ?? null),
    )
}

// XML lets no prefix stand for these.
const unusableNamespaces = new Set(['', 'http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/'])

// An address without quotes ends at white space; a comma after it separates, one within it may belong to it.
const withoutSeparator = (text: string): string => {
  let end = text.length
  while (end > 0 && (text[end - 1] === ',' || text[end - 1] === ';')) end -= 1
  return text.slice(0, end)
}

/** Where the run of these characters ends that begins at `from`. */
const endOfRun = (text: string, from: number, isIn: (character: string) => boolean): number => {
  let at = from
  while (at < text.length && isIn(text.charAt(at))) at += 1
  return at
}

const isSpace = (character: string): boolean => /\s/.test(character)

interface Pair {
  readonly prefix: string
  readonly uri: string
  readonly end: number
}

/** `prefix=address`, with or without quotes; undefined where there is none. */
const pairAt = (text: string, from: number): Pair | undefined => {
  const start = endOfRun(text, from, (one) => isSpace(one) || one === ',' || one === ';')
  const end = endOfRun(text, start, (one) => !isSpace(one) && !`="',;`.includes(one))
  const equals = endOfRun(text, end, isSpace)
  if (end === start || text[equals] !== '=') return undefined
  const value = endOfRun(text, equals + 1, isSpace)
  const prefix = text.slice(start, end)
  const quote = text.charAt(value)
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, value + 1)
    return close === -1 ? undefined : { prefix, uri: text.slice(value + 1, close), end: close + 1 }
  }
  const last = endOfRun(text, value, (one) => !isSpace(one) && one !== '"' && one !== "'")
  return last === value ? undefined : { prefix, uri: withoutSeparator(text.slice(value, last)), end: last }
}

const readNamespaces = (row: Row | undefined, problems: ProblemList): Map<string, string> => {
  const found = new Map<string, string>()
  const text = row?.get('namespaces')
  if (text === undefined) return found
  let end = 0
  for (let pair = pairAt(text, 0); pair !== undefined; pair = pairAt(text, end)) {
    const { prefix, uri } = pair
    if (unusableNamespaces.has(uri)) break
    end = pair.end
    if (isPlainName(prefix) && !builtInNamespaces.has(prefix) && !/^xml/i.test(prefix)) found.set(prefix, uri)
  }
  if (text.slice(end).trim() !== '')
    problems.add('invalid-namespaces', `Write namespaces as prefix="address" pairs, separated by spaces.`, {
      sheet: 'settings',
      row: row?.number ?? null,
      column: 'namespaces',
      value: text,
    })
  return found
}

const readAttributes = (
  row: Row | undefined,
  get: (key: string) => string | null,
  namespaces: Map<string, string>,
  problems: ProblemList,
): [string, string][] => {
  const attributes = new Map<string, string>()
  for (const [name, key] of row?.table.family('attribute') ?? []) {
    const value = row?.get(key)
    if (value === undefined) continue
    const place = { sheet: 'settings', row: row?.number ?? null, column: row?.header(key) ?? key, value }
    if (['id', 'version', 'xmlns'].includes(name))
      problems.add('reserved-attribute', `The attribute '${name}' has a setting of its own. Use that column.`, place)
    else if (checkName(name, namespaces, 'attribute', place, problems)) attributes.set(name, value)
  }
  for (const name of ['prefix', 'delimiter']) {
    const value = get(name)
    if (value !== null) attributes.set(`odk:${name}`, value)
  }
  return [...attributes]
}

/** Whether a name can stand in the XForm: well formed and its prefix declared. */
export const checkName = (
  name: string,
  namespaces: ReadonlyMap<string, string>,
  what: string,
  place: { sheet: string; row: number | null; column: string; value: string },
  problems: ProblemList,
): boolean => {
  if (name.length > limits.nameLength) {
    const message = `A ${what} name may have at most ${limits.nameLength} characters; this one has ${name.length}.`
    problems.add('invalid-name', message, place)
    return false
  }
  if (!isName(name)) {
    problems.add(
      'invalid-name',
      `'${name}' is no valid ${what} name. Start with a letter or '_', then use letters, digits, '_', '-' and '.'.`,
      place,
    )
    return false
  }
  const prefix = prefixOf(name)
  if (
    prefix === null ||
    prefix === 'xml' ||
    name === 'entities:saveto' ||
    builtInNamespaces.has(prefix) ||
    namespaces.has(prefix)
  )
    return true
  problems.add(
    'undeclared-prefix',
    `The prefix of '${name}' is not declared.${didYouMean(prefix, [...builtInNamespaces.keys(), ...namespaces.keys()])} ` +
      `Add ${prefix}="…" to the setting namespaces, or leave the colon out.`,
    place,
  )
  return false
}
