// From what somebody uploads to what is stored: the XForm, its model, and the rules that come after compiling.

import { randomBytes } from 'node:crypto'
import { formatProblem, XlsFormError } from '@sheaf/xlsform/form'
import { cutTo, shortened } from '@sheaf/xlsform/text'
import type { FormCompiler, FormDraft, XFormChanges } from '@sheaf/xlsform/thread'
import { budgets } from '../../../budgets.js'
import { formRefused, mistakes, tooLong } from './compiling.errors.js'

export interface Source {
  readonly kind: 'spreadsheet' | 'xform'
  readonly name: string
  readonly bytes: Buffer
}

/** A form that is compiled and checked, and not yet stored: its id may still get a number, its version a suffix. */
export interface Draft {
  readonly source: Source
  readonly xml: string
  readonly idString: string
  readonly title: string
  /** Null when it names none: then the moment of publication is its version. */
  readonly version: string | null
  readonly publicKey: string
  readonly warnings: readonly string[]
  /** `itemsets.csv`, a file that goes with the form. */
  readonly itemsets: string | undefined
}

/** `rootName`: the root of the form that it replaces, for a spreadsheet that does not name one. */
export const readDraft = async (
  compiler: FormCompiler,
  source: Source,
  options: { rootName?: string } = {},
): Promise<Draft> => {
  const { bytes, name: fileName } = source
  const form = await refusingMistakes(
    source.kind === 'xform'
      ? compiler.read(bytes)
      : compiler.compile(bytes, { fileName, allowUnlabelled: true, ...options }),
  )
  const fault = faultOf(form)
  if (fault !== undefined) throw formRefused(fault)
  return {
    source,
    xml: form.xml,
    idString: form.formId,
    title: form.title,
    version: form.version === '' ? null : form.version,
    publicKey: form.publicKey ?? '',
    warnings: form.warnings.map(formatProblem),
    itemsets: form.itemsets,
  }
}

/** Mistakes of the author are answered to them; everything else that is thrown is a fault of ours. */
const refusingMistakes = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof XlsFormError ? mistakes(error.problems) : error
  }
}

export const longestId = budgets.forms.idCharacters
const longestVersion = 255

/** Whatever devices take is taken, and escaped wherever it is shown. Control characters cannot stand in XML at all. */
const unwritable = /\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/u

const faultOf = ({ title, version, formId }: FormDraft): string | undefined =>
  idFault(formId) ?? titleFault(title) ?? versionFault(version ?? '')

export const versionFault = (version: string): string | undefined => {
  if (unwritable.test(version)) return "Version shouldn't have any control characters."
  return version.length > longestVersion
    ? `Ensure the version has no more than ${longestVersion} characters.`
    : undefined
}

const idFault = (idString: string): string | undefined => {
  if (idString.trim() === '') return 'The form has no id. Give it a form_id in the settings sheet.'
  if (unwritable.test(idString)) return `The form id ${JSON.stringify(cutTo(idString, 100))} has control characters.`
  return idString.length > longestId
    ? `The form id '${shortened(idString, 101)}' has ${idString.length} characters; use at most ${longestId} of them.`
    : undefined
}

export const titleFault = (title: string): string | undefined => {
  if (unwritable.test(title)) return 'Control characters are not allowed.'
  if (/^(https?|ftp):\/\/|^www\./i.test(title.trim())) return "Invalid title value; value shouldn't match a URL"
  return title.length > 255 ? 'Ensure the title has no more than 255 characters.' : undefined
}

export const newUuid = (): string => randomBytes(16).toString('hex')

/** `YYYYMMDDHHmm` in UTC. */
export const versionAt = (now: Date): string => now.toISOString().replace(/\D/g, '').slice(0, 12)

export interface FinalForm {
  readonly xml: string
  readonly hash: string
  /** As JSON text. */
  readonly model: string
}

/** A longer model could be stored, but then everybody who reads records of the form would wait for it. */
export const refuseLongModel = (characters: number): void => {
  if (characters > budgets.forms.modelCharacters) throw tooLong(characters)
}

/** Writes into the XForm what the server decides. The model is read from the same XML that devices get. */
export const finalize = async (compiler: FormCompiler, xml: string, changes: XFormChanges): Promise<FinalForm> => {
  const rewritten = await refusingMistakes(compiler.rewrite(xml, changes))
  refuseLongModel(rewritten.model.length)
  return { ...rewritten, hash: `md5:${rewritten.md5}` }
}
