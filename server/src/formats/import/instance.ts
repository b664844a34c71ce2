// A row as the XML that a device would have sent.
import { escapeAttribute, escapeText } from '../xml/index.js'
import type { Branch } from './columns.js'

export interface InstanceHead {
  readonly rootName: string
  readonly idString: string
  readonly version: string
  readonly formUuid: string
}

export interface InstanceIds {
  readonly instanceId: string
  /** Of the version that this one takes the place of. */
  readonly deprecatedId?: string
}

/** Prefixes of a form that was uploaded as XML mean nothing without their declarations. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const element = (name: string, content: string): string =>
  content === '' ? '' : `<${localName(name)}>${content}</${localName(name)}>`

const written = (branches: readonly Branch[], values: readonly (string | undefined)[]): string =>
  branches
    .map((branch) =>
      element(branch.name, 'slot' in branch ? escapeText(values[branch.slot] ?? '') : written(branch.children, values)),
    )
    .join('')

/** Questions without an answer are left out, as devices leave out what was not asked. */
export const instanceXml = (
  { rootName, idString, version, formUuid }: InstanceHead,
  tree: readonly Branch[],
  values: readonly (string | undefined)[],
  { instanceId, deprecatedId }: InstanceIds,
): string => {
  const root = localName(rootName)
  const answers = written(
    tree.filter(({ name }) => localName(name) !== 'meta'),
    values,
  )
  const meta = tree.find(({ name }) => localName(name) === 'meta')
  const more = meta !== undefined && 'children' in meta ? written(meta.children, values) : ''
  const ids = `<instanceID>uuid:${escapeText(instanceId)}</instanceID>${
    deprecatedId === undefined ? '' : `<deprecatedID>uuid:${escapeText(deprecatedId)}</deprecatedID>`
  }`
  return `<?xml version='1.0' ?><${root} id="${escapeAttribute(idString)}" version="${escapeAttribute(version)}"><form><uuid>${formUuid}</uuid></form>${answers}<meta>${ids}${more}</meta></${root}>`
}
