import { type TypeRule, typeRules } from './types.js'

export type ContainerKind = 'group' | 'repeat' | 'loop'
export type SelectCommand = 'one' | 'multiple' | 'rank' | 'external' | 'one-file' | 'multiple-file'

/** What a type cell asks for. */
export type RowKind =
  | { kind: 'begin'; container: ContainerKind; list: string | null }
  | { kind: 'end'; container: ContainerKind }
  | { kind: 'setting'; key: string }
  | { kind: 'select'; command: SelectCommand; list: string; hasOther: boolean }
  | { kind: 'osm'; list: string | null }
  | { kind: 'plain'; rule: TypeRule }
  | { kind: 'unknown' }

const selectCommands: [string, SelectCommand][] = [
  ['select_one', 'one'],
  ['select one', 'one'],
  ['select one from', 'one'],
  ['select1', 'one'],
  ['add select one prompt using', 'one'],
  ['select_multiple', 'multiple'],
  ['select multiple', 'multiple'],
  ['select all that apply', 'multiple'],
  ['select all that apply from', 'multiple'],
  ['add select multiple prompt using', 'multiple'],
  ['rank', 'rank'],
  ['select_one_external', 'external'],
  ['select one external', 'external'],
  ['select_one_from_file', 'one-file'],
  ['select one from file', 'one-file'],
  ['select_multiple_from_file', 'multiple-file'],
  ['select multiple from file', 'multiple-file'],
]
const commandByText = new Map(selectCommands)

const containers = new Map<string, ContainerKind>([
  ['group', 'group'],
  ['repeat', 'repeat'],
  ['lgroup', 'repeat'],
  ['looped group', 'repeat'],
  ['loop', 'loop'],
])

const settingTypes = new Map([
  ['form_title', 'form_title'],
  ['set_form_title', 'form_title'],
  ['form_id', 'form_id'],
  ['set_form_id', 'form_id'],
  ['prefix', 'prefix'],
])

const beginPattern = /^begin[ _](group|repeat|lgroup|looped group|loop)(?: (?:over )?(\S+))?$/
const endPattern = /^end[ _](group|repeat|lgroup|looped group|loop)$/
export const otherSuffix = / (?:or_other|or other|or specify other)$/

/** Reads a type cell; spaces in it are already single. */
export const rowKind = (type: string): RowKind => {
  const plain = typeRules.get(type)
  if (plain !== undefined) return type === 'osm' ? { kind: 'osm', list: null } : { kind: 'plain', rule: plain }
  const begin = beginPattern.exec(type)
  if (begin !== null) {
    const container = containers.get(begin[1] ?? '') ?? 'group'
    if (container === 'loop' || begin[2] === undefined) return { kind: 'begin', container, list: begin[2] ?? null }
    return { kind: 'unknown' }
  }
  const end = endPattern.exec(type)
  if (end !== null) return { kind: 'end', container: containers.get(end[1] ?? '') ?? 'group' }
  const setting = settingTypes.get(type.replaceAll(' ', '_'))
  if (setting !== undefined) return { kind: 'setting', key: setting }
  return selectKind(type)
}

const selectKind = (type: string): RowKind => {
  const hasOther = otherSuffix.test(type)
  const bare = hasOther ? type.replace(otherSuffix, '') : type
  const space = bare.lastIndexOf(' ')
  if (space === -1) return { kind: 'unknown' }
  const list = bare.slice(space + 1)
  const words = bare.slice(0, space)
  const command = commandByText.get(words)
  if (command !== undefined) return { kind: 'select', command, list, hasOther }
  if (words === 'osm' && !hasOther) return { kind: 'osm', list }
  return { kind: 'unknown' }
}

/** Whether a type cell is a select command that lacks its list. */
export const isBareSelect = (type: string): boolean => commandByText.has(type.replace(otherSuffix, ''))

/** A select type whose command part is misspelt: `select_on fruits`. */
export const splitCommand = (type: string): { command: string; rest: string } => {
  const space = type.indexOf(' ')
  return space === -1 ? { command: type, rest: '' } : { command: type.slice(0, space), rest: type.slice(space) }
}
