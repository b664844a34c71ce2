// From what somebody uploads to what is stored: the XForm, its model, and the rules that come after compiling.
import { createHash, randomBytes } from 'node:crypto'
import { type FormModel, formatProblem, XlsFormError } from '@sheaf/xlsform'
import type { FormCompiler } from '@sheaf/xlsform/thread'
import { rewriteXForm } from '../../formats/xform/index.js'
import { formRefused, mistakes } from './forms.errors.js'

export interface Source {
  readonly kind: 'spreadsheet' | 'xform'
  readonly name: string
  readonly bytes: Buffer
}

/** Compiled and checked, before it has a place: the id may still get a number, the version a suffix. */
export interface Draft {
  readonly source: Source
  readonly xml: string
  readonly idString: string
  readonly title: string
  /** null: the moment of publication. */
  readonly version: string | null
  readonly publicKey: string
  readonly warnings: readonly string[]
  /** `itemsets.csv`, a file that goes with the form. */
  readonly itemsets: string | undefined
  readonly rootName: string
}

export const readDraft = async (compiler: FormCompiler, source: Source): Promise<Draft> => {
  try {
    return checked(source.kind === 'xform' ? await fromXForm(compiler, source) : await fromSheet(compiler, source))
  } catch (error) {
    throw error instanceof XlsFormError ? mistakes(error.problems) : error
  }
}

const fromSheet = async (compiler: FormCompiler, source: Source): Promise<Draft> => {
  const form = await compiler.compile(source.bytes, { fileName: source.name, allowUnlabelled: true })
  return {
    source,
    xml: form.xform,
    idString: form.formId,
    title: form.title,
    version: form.version,
    publicKey: form.model.publicKey ?? '',
    warnings: form.warnings.map(formatProblem),
    itemsets: form.itemsets,
    rootName: form.model.rootName,
  }
}

const fromXForm = async (compiler: FormCompiler, source: Source): Promise<Draft> => {
  const xml = decode(source.bytes)
  const model = await compiler.parse(xml)
  return {
    source,
    xml,
    idString: model.formId,
    title: model.title === '' ? model.formId : model.title,
    version: model.version,
    publicKey: model.publicKey ?? '',
    warnings: [],
    itemsets: undefined,
    rootName: model.rootName,
  }
}

const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw formRefused('The XForm is not UTF-8 text. Save it as UTF-8 and upload it again.')
  }
}

const longestId = 100

/** Devices, addresses and files carry these texts, so they are narrower than XForms themselves. */
const checked = (draft: Draft): Draft => {
  const { idString, version } = draft
  const fault =
    titleFault(draft.title) ??
    (version !== null && /[&<>]/.test(version)
      ? "Version shouldn't have any invalid characters ('>' '&' '<')"
      : undefined) ??
    (/^[A-Za-z0-9_-]+$/.test(idString) && idString.length <= longestId ? undefined : idFault(idString))
  if (fault !== undefined) throw formRefused(fault)
  return draft
}

const idFault = (idString: string): string =>
  `In strict mode, the XForm ID must be a valid slug and contain no spaces. Please ensure that you have set an id_string in the settings sheet or have modified the filename to not contain any spaces. It is '${idString.slice(0, longestId)}'; use letters, digits, _ and -, at most ${longestId} of them.`

export const titleFault = (title: string): string | undefined => {
  if (/[&<>]/.test(title)) return "Title shouldn't have any invalid xml characters ('>' '&' '<')"
  if (/^(https?|ftp):\/\/|^www\./i.test(title.trim())) return "Invalid title value; value shouldn't match a URL"
  return title.length > 255 ? 'Ensure the title has no more than 255 characters.' : undefined
}

export const newUuid = (): string => randomBytes(16).toString('hex')

/** `YYYYMMDDHHmm` in UTC. */
export const versionAt = (now: Date): string => now.toISOString().replace(/\D/g, '').slice(0, 12)

export const hashOf = (xml: string): string => `md5:${createHash('md5').update(xml).digest('hex')}`

export interface FinalForm {
  readonly xml: string
  readonly hash: string
  readonly model: FormModel
}

/** With the id, version and identifier that it was given. The model is read from the very XML that devices get. */
export const finalize = async (
  compiler: FormCompiler,
  draft: Draft,
  place: { id: string; version: string; uuid: string },
): Promise<FinalForm> => {
  const xml = rewriteXForm(draft.xml, { ...place })
  return { xml, hash: hashOf(xml), model: await compiler.parse(xml) }
}
