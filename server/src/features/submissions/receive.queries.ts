// Receiving is one statement and one commit for what arrives together.
import { composed, type Database, type Db, onOneMachine, type Sql, sql } from '../../platform/db/index.js'
import { countedByKey, openTokens } from '../keys/index.js'
import { orFilesGone } from '../uploads/index.js'
import type { FormPlace } from './attachment-names.js'
import { rowsText } from './derived-rows.queries.js'
import type { Premise } from './premise.js'
import { holding, holdingOfForms, type PremiseShape, premisesText, shapeOfPremises } from './premises.queries.js'
import { fileRows, filesOf, shownFiles } from './received-files.queries.js'
import {
  columnsOf,
  manyRows,
  manyRowsOfForms,
  oneForm,
  oneRow,
  ownForms,
  type Row,
  type Storing,
  storing,
} from './storing.queries.js'
import type { NewSubmission } from './submission.js'

export interface ReceiveContext extends Pick<Storing, 'slot' | 'now'> {
  readonly form: FormPlace
  readonly isPart?: boolean
  /** Not where others wait for their turn behind it. */
  readonly isPatient?: boolean
}

const answersOf = ({ derived }: NewSubmission): string => derived.answers

/** For what was found to be held up, and for what shared its fate: others wait for their turn behind it. */
const patienceOf = ({ isPatient = true }: Pick<ReceiveContext, 'isPatient'>): string => (isPatient ? '500' : '50')

/** Which keys let a batch in. Links have a limit, which is counted exactly: such a submission is a batch of its own. */
const keysOf = (batch: readonly NewSubmission[]) => {
  const keys = batch.flatMap(({ device }) => device?.key ?? [])
  return { keys, isLink: keys[0]?.kind === 'link' }
}

export interface Received {
  /** null: the form has had this instance id before, the form or the key takes nothing any more, or its premise does not hold. */
  readonly id: number | null
  readonly isTaking: boolean
}

interface Moment extends Pick<Storing, 'slot' | 'now'> {
  /** How long it waits for an id that somebody holds, in milliseconds. */
  readonly patience: string
}

interface OfForm extends Moment {
  readonly formId: number
}

/** `premise` is of one, `premises` of several. */
interface Premised {
  readonly premise: Premise
  readonly premises: string
}

interface Shape {
  readonly row: (values: OfForm & Premised & { readonly one: Row }) => Sql
  readonly rows: (values: OfForm & Premised & { readonly rows: string }) => Sql
  /** Of several forms. */
  readonly rowsOfForms: (values: Moment & Pick<Premised, 'premises'> & { readonly rows: string }) => Sql
}

/** What most are, composed once: without files, from somebody with an account, or by a key that the premise asks for. */
const newShape = (shape: PremiseShape): Shape => {
  const isPremised = shape.kinds.length > 0
  const usual = ({ slot, now }: Moment) => {
    const isByKey = shape.kinds.includes('key')
    const keys = isByKey ? { open: undefined, counted: countedByKey(sql`new`, slot, false) } : undefined
    return { slot, now, isPart: false, files: undefined, keys }
  }
  const ofForm = (values: OfForm & Premised, given: Sql): Sql => {
    const held = isPremised ? holding({ ...values, shape }) : undefined
    return storing({ ...usual(values), forms: oneForm(values.formId), given, holding: held })
  }
  return {
    row: composed((values) => ofForm(pickOfForm(values), oneRow(values.one, values.patience))),
    rows: composed((values) => ofForm(pickOfForm(values), manyRows(values.rows, values.patience, false))),
    rowsOfForms: composed((values) =>
      storing({
        ...usual(values),
        forms: ownForms,
        given: manyRowsOfForms(values.rows, values.patience),
        holding: isPremised ? holdingOfForms({ now: values.now, premises: values.premises, shape }) : undefined,
      }),
    ),
  }
}

/** By name, as values of a composed statement are taken. */
const pickOfForm = ({ formId, slot, now, patience, premise, premises }: OfForm & Premised): OfForm & Premised => ({
  ...{ formId, slot, now, patience },
  ...{ premise, premises },
})

/** As many as there are kinds of premises, in one or several. */
const shapes = new Map<string, Shape>()

const shapeOf = (shape: PremiseShape): Shape => {
  const name = [...shape.kinds, ...shape.mayBy, shape.isOne].join(' ')
  const known = shapes.get(name) ?? newShape(shape)
  shapes.set(name, known)
  return known
}

/** Those of one sender have the same premise. */
const premisesOf = (batch: readonly NewSubmission[]) => {
  const numbers = new Map<Premise, number>()
  for (const { premise } of batch) if (premise && !numbers.has(premise)) numbers.set(premise, numbers.size + 1)
  const numberOf = ({ premise }: NewSubmission): number | null => (premise && numbers.get(premise)) ?? null
  return { all: [...numbers.keys()], numberOf }
}

/** Nothing but rows: no files, and no key that is to be asked for apart. */
const isUsual = (batch: readonly NewSubmission[]): boolean =>
  batch.every(
    ({ premise, device, files }) => files.length === 0 && (premise !== undefined || (device?.key ?? null) === null),
  )

const statementOf = (context: ReceiveContext, batch: readonly NewSubmission[]): Sql => {
  const { form, slot, now, isPart = false } = context
  const moment = { formId: form.id, slot, now, patience: patienceOf(context) }
  const { all, numberOf } = premisesOf(batch)
  const shape = shapeOfPremises(all)
  const premised = { premise: all[0] as Premise, premises: shape.isOne ? '' : premisesText(all) }
  const columns = (one: NewSubmission) => columnsOf(one, numberOf(one))
  const [first, second] = batch
  if (isUsual(batch) && !isPart) {
    const { row, rows } = shapeOf(shape)
    return first !== undefined && second === undefined
      ? row({ ...moment, ...premised, one: Object.assign(columns(first), { answers: answersOf(first) }) })
      : rows({ ...moment, ...premised, rows: rowsText(batch, columns, answersOf) })
  }
  const { keys, isLink } = keysOf(batch)
  const files = filesOf(batch)
  return storing({
    ...{ slot, now, isPart },
    forms: oneForm(form.id),
    given: manyRows(rowsText(batch, columns, answersOf), moment.patience, isPart),
    files: files.length === 0 ? undefined : { rows: fileRows(form, files, now), shown: shownFiles(form) },
    keys:
      keys.length === 0
        ? undefined
        : { open: openTokens(keys, isLink, now), counted: countedByKey(sql`new`, slot, isLink) },
    holding: shape.kinds.length === 0 ? undefined : holding({ ...moment, ...premised, shape }),
  })
}

/** One outcome per submission, in the order given. Of equal instance ids in one batch, the first is new. */
export const insertSubmissions = (db: Db, context: ReceiveContext, batch: readonly NewSubmission[]) =>
  orFilesGone(db.rows<Received>(statementOf(context, batch)))

export interface FormBatch {
  readonly form: FormPlace
  readonly batch: readonly NewSubmission[]
}

type FlightMoment = Pick<ReceiveContext, 'slot' | 'now' | 'isPatient'>

/** Several forms in one statement. */
const sharedStatement = (moment: FlightMoment, parts: readonly FormBatch[]): Sql => {
  // A premise is of one form: what two of them had in common would be numbered twice.
  const premises: (Premise & { readonly form_id: number })[] = []
  const items = parts.flatMap(({ form, batch }) => {
    const { all, numberOf } = premisesOf(batch)
    const before = premises.length
    for (const premise of all) premises.push({ ...premise, form_id: form.id })
    return batch.map((one) => {
      const number = numberOf(one)
      return { one, form_id: form.id, premise: number === null ? null : before + number }
    })
  })
  const shape = { ...shapeOfPremises(premises), isOne: false }
  const rows = rowsText(
    items,
    ({ one, form_id, premise }) => Object.assign(columnsOf(one, premise), { form_id }),
    ({ one }) => answersOf(one),
  )
  const { slot, now } = moment
  const values = { slot, now, patience: patienceOf(moment), premises: premisesText(premises), rows }
  return onOneMachine(shapeOf(shape).rowsOfForms(values))
}

/** The answers of a statement of several forms, by form. */
const parted = (parts: readonly FormBatch[], all: readonly Received[]): Received[][] => {
  let next = 0
  return parts.map(({ batch }) => {
    next += batch.length
    return all.slice(next - batch.length, next)
  })
}

/** The same for several forms in one commit: one statement for all that have nothing but rows, where all records are on one
 * machine, and one for each of the others. */
export const insertOfForms = async (
  db: Database,
  { isOneMachine, ...moment }: FlightMoment & { readonly isOneMachine: boolean },
  parts: readonly FormBatch[],
): Promise<Received[][]> => {
  const usual = isOneMachine ? parts.filter(({ batch }) => isUsual(batch)) : []
  const shared = usual.length > 1 ? usual : []
  const own = parts.filter((part) => !shared.includes(part))
  const ownStatements = own.map(({ form, batch }) => statementOf({ form, ...moment }, batch))
  const statements = shared.length > 0 ? [sharedStatement(moment, shared), ...ownStatements] : ownStatements
  const [first, second] = statements
  const answers = await orFilesGone(
    first !== undefined && second === undefined
      ? db.rows<Received>(first).then((one) => [one])
      : db.flight<Received>(statements),
  )
  const [ofShared = [], ...others] = shared.length > 0 ? answers : [[], ...answers]
  const answerOf = new Map<FormBatch, Received[]>()
  for (const [place, one] of parted(shared, ofShared).entries()) answerOf.set(shared[place] as FormBatch, one)
  for (const [place, one] of others.entries()) answerOf.set(own[place] as FormBatch, one)
  return parts.map((part) => answerOf.get(part) as Received[])
}

/** Every record is found by the form and an instance id that it has or had. */
export const findByInstanceId = (db: Db, formId: number, uuid: string) =>
  db.maybe<{ id: number }>(sql`
    select submission_id as id from instance_ids where form_id = ${formId} and uuid = ${uuid}`)
