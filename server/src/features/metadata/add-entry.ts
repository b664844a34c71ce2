// Adding an entry: checked as a whole, then stored with its file in one transaction.
import { orConflict } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, type FieldErrors, forbidden, invalid, throwFaults } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { asFormManager, insertMetadata, restrictForm, restrictionType } from '../forms/index.js'
import { extensionOf, takeFiles, type Upload } from '../uploads/index.js'
import { findHolder, type Holder, type Named } from './holders.js'
import { type Incoming, type IncomingFile, plainName } from './incoming.js'
import { contentFault, largestFile, mimetypeOf, nameFault } from './media-files.js'
import { alreadyThere, fileRefused, nothingNamed, notRestriction, refusedWords } from './metadata.errors.js'
import type { CreateMetadata } from './metadata.schemas.js'
import { valueFault } from './values.js'

type Body = Static<typeof CreateMetadata>

const typesOf: Readonly<Record<Holder['kind'], readonly string[] | undefined>> = {
  form: undefined,
  project: ['media', 'supporting_doc'],
  submission: ['media', 'supporting_doc', 'submission_review'],
}

const unknown = {
  instance: 'Instance does not exist',
  xform: 'XForm does not exist',
  project: 'Project does not exist',
} as const

/** What it is to hang on, if the caller may change that. */
export const holderFor = async (
  deps: Deps,
  caller: Caller,
  named: Named & { readonly data_type?: unknown },
): Promise<Holder> => {
  const field = (['instance', 'xform', 'project'] as const).find((name) => named[name] !== undefined)
  if (field === undefined) throw nothingNamed()
  const holder = await findHolder(deps.db, caller, named)
  if (holder === undefined) throw invalid({ [field]: [unknown[field]] })
  const isAllowed = named.data_type === restrictionType ? holder.mayManage : holder.mayChange
  if (!isAllowed) throw forbidden()
  return holder
}

const largestExtra = 10_000

const faultsOf = async (deps: Deps, caller: Caller, holder: Holder, body: Body, file: IncomingFile | undefined) => {
  const faults: Record<string, string[]> = {}
  const { data_type: type, data_value: value = '', extra_data: extra } = body
  if (typesOf[holder.kind]?.includes(type) === false) faults.data_type = [`"${type}" is not a valid choice.`]
  if (file === undefined && value === '') faults.data_value = ['This field is required.']
  if (file === undefined && value !== '') {
    const fault = await valueFault(deps.db, caller, type, value)
    if (fault !== undefined) faults.data_value = [fault]
  }
  if (JSON.stringify(extra ?? {}).length > largestExtra) {
    faults.extra_data = [`Ensure this field has no more than ${largestExtra} characters.`]
  }
  return faults as FieldErrors
}

const longestName = 255

/** What the sender calls it; a form names its files, and on the sender's disk they may have any name. Without an ending that
 * is known the file's own is added. */
const nameOf = (dataType: string, called: string | undefined, sent: string): string => {
  const name = plainName(called ?? '')
  if (name === '') return sent
  return nameFault(dataType, name) === undefined ? name : `${name}.${extensionOf(sent)}`
}

const faultOfFile = async (dataType: string, name: string, { head, upload }: IncomingFile) => {
  if (name.length > longestName) return `Its name has more than ${longestName} characters.`
  if (upload.bytes > largestFile(name)) return `It is larger than ${largestFile(name)} bytes.`
  return nameFault(dataType, name) ?? (await contentFault(dataType, name, head))
}

/** The name that the file is kept by. */
const acceptFile = async (
  { data_type, data_value }: Pick<Body, 'data_type' | 'data_value'>,
  file: IncomingFile,
): Promise<string> => {
  const name = nameOf(data_type, data_value, file.name)
  const fault = await faultOfFile(data_type, name, file)
  if (fault !== undefined) throw fileRefused(name, fault)
  return name
}

/** Files that go with a form by their own names; 400 with the faults of all of them. */
export const acceptAllMedia = async (files: readonly IncomingFile[]): Promise<AcceptedMedia[]> => {
  const faults: string[] = []
  for (const file of files) {
    const fault = await faultOfFile('media', file.name, file)
    if (fault !== undefined) faults.push(...refusedWords(file.name, fault))
  }
  if (faults.length > 0) throw invalid({ data_file: faults })
  return files.map(({ name, upload }) => ({ name, type: mimetypeOf(name), upload }))
}

export interface AcceptedMedia {
  readonly name: string
  readonly type: string
  readonly upload: Upload
}

/** A file that goes with a form, as it is kept; 400 for what devices could not use. */
export const acceptMedia = async (called: unknown, file: IncomingFile): Promise<{ name: string; type: string }> => {
  const name = await acceptFile({ data_type: 'media', ...(typeof called === 'string' && { data_value: called }) }, file)
  return { name, type: mimetypeOf(name) }
}

/** Answers the id of the entry. */
export const addEntry = async (
  deps: Deps,
  caller: Caller,
  holder: Holder,
  body: Body,
  { file }: Pick<Incoming, 'file'>,
): Promise<number> => {
  throwFaults(await faultsOf(deps, caller, holder, body, file))
  const name = file && (await acceptFile(body, file))
  if (body.data_type === restrictionType) return restrict(deps, caller, holder, body.data_value ?? '')
  const work = deps.db.transaction(async (tx) => {
    const { formId, projectId, submissionId } = holder
    const id = await insertMetadata(tx, {
      ...{ formId, projectId, submissionId, dataType: body.data_type, createdBy: caller.id, now: deps.clock.now() },
      dataValue: name ?? body.data_value ?? '',
      file: file && { ...file.upload, type: mimetypeOf(name ?? '') },
      extra: body.extra_data,
    })
    if (file !== undefined) await takeFiles(tx, [file.upload.key])
    return id
  })
  return orConflict(work, { metadata__unique: alreadyThere })
}

/** One of them at most, so a second one takes the place of the first. */
export const restrict = async (deps: Deps, caller: Caller, holder: Holder, value: string): Promise<number> =>
  asFormManager(deps.db, caller, holder.formId ?? 0, async (tx, form) => {
    const id = await restrictForm(tx, form.id, value, caller.id, deps.clock.now())
    if (id === undefined) throw notRestriction()
    return id
  })
