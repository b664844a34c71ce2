import { readChoiceLists } from './choices/choice-lists.js'
import { placeEntities } from './entities/place-entities.js'
import { type EntityList, readEntityLists, readSaveTo } from './entities/read-entities.js'
import { writeItemsets } from './itemsets-csv.js'
import { limits } from './limits.js'
import type { FormModel } from './model/model.js'
import { modelOfForm } from './model/model-of-form.js'
import { type Problem, ProblemList, XlsFormError } from './problems.js'
import { lastSavedInstance, lastSavedSource, Resolver } from './references/resolver.js'
import { isYes, readingOptions, readSettings, type Settings } from './settings.js'
import { missingSheetHint, warnOfMisspeltSheets } from './sheet-hints.js'
import { buildSurvey, type Survey } from './survey/build-survey.js'
import type { SurveyContext } from './survey/context.js'
import { Externals } from './survey/externals.js'
import { buildMeta } from './survey/meta.js'
import { rowKind } from './survey/row-kinds.js'
import { connectTriggers } from './survey/triggers.js'
import { languagesOf, warnOfLanguages } from './tables/languages.js'
import { readTable, type Table } from './tables/table.js'
import { cleanSheet, type RawSheet } from './workbook/raw-sheet.js'
import { type SheetName, type Workbook, workbookOf } from './workbook/workbook.js'
import { allNodes, type Form } from './xform/form.js'
import { Itext } from './xform/itext.js'
import { resolveNode } from './xform/resolve-nodes.js'
import { writeDocument } from './xform/write-document.js'

export interface CompileOptions {
  /** Name of the uploaded file: its stem is the form's id when the settings give none. */
  fileName?: string
  /** Name of the root element when the settings give none; `data` by default. */
  rootName?: string
  /** Take questions without label, hint and media with a warning instead of refusing the form. */
  allowUnlabelled?: boolean
  /**
   * Write the labels of questions that are not shown into their binds, in a namespace of this compiler: for whoever has
   * nothing but the XForm and reads answers by it. Labels in languages are in itext either way.
   */
  keepUnshownLabels?: boolean
}

export interface CompiledForm {
  /** The XForm XML. */
  xform: string
  model: FormModel
  formId: string
  title: string
  version: string | null
  warnings: Problem[]
  /** `itemsets.csv`, to be delivered with the form, when it has a select_one_external. */
  itemsets?: string
}

interface Tables {
  settings: Table | undefined
  survey: Table
  choices: Table | undefined
  externalChoices: Table | undefined
  osm: Table | undefined
  entities: Table | undefined
}

/**
 * Compiles sheets that somebody has in hand, such as an editor: what comes out is what a workbook of these sheets gives.
 * Throws `XlsFormError` with every mistake the author made.
 */
export const compileSheets = (sheets: readonly RawSheet[], options: CompileOptions = {}): CompiledForm =>
  compileBook(workbookOf(sheets.map(cleanSheet)), options)

/** What there is to say about a form, whether it compiles or not. */
export interface CheckedForm {
  /** Null where there are problems. */
  form: CompiledForm | null
  problems: Problem[]
  /** As far as the form could be read. */
  warnings: Problem[]
}

/** The same for whoever shows what is wrong while it is being written: a form with mistakes has its warnings, too. */
export const checkSheets = (sheets: readonly RawSheet[], options: CompileOptions = {}): CheckedForm => {
  const warnings = new ProblemList()
  try {
    const form = compileBook(workbookOf(sheets.map(cleanSheet)), options, warnings)
    return { form, problems: [], warnings: form.warnings }
  } catch (error) {
    if (!(error instanceof XlsFormError)) throw error
    return { form: null, problems: error.problems, warnings: warnings.sorted() }
  }
}

/** The same for sheets whose cells are clean already. */
export const compileBook = (
  workbook: Workbook,
  options: CompileOptions,
  warnings: ProblemList = new ProblemList(),
): CompiledForm => {
  const problems = new ProblemList()
  const tables = readTables(workbook, problems, warnings)
  const settings = readSettings(tables.settings, settingRows(tables.survey), options, problems, warnings)
  const entityLists = readEntityLists(tables.entities, problems)
  const context = surveyContext(workbook, tables, settings, entityLists, options, problems, warnings)
  const survey = buildSurvey(tables.survey, context)
  const { form, xform } = afterProblems(problems, () => {
    const assembled = assemble(survey, context, entityLists, tables, options)
    return { form: assembled, xform: writeDocument(assembled) }
  })
  checkSettingReferences(tables.settings, form)
  checkLastSaved(form)
  warnOfUnknownInstances(form)
  if (!problems.isEmpty) throw new XlsFormError(problems.sorted())
  const itemsets = writeItemsets(survey.root, tables.externalChoices)
  return {
    xform,
    model: modelOfForm(form),
    formId: settings.formId,
    title: settings.title,
    version: settings.version,
    warnings: warnings.sorted(),
    ...(itemsets === undefined ? {} : { itemsets }),
  }
}

/** Writing stops where a form grows too large; the mistakes found until then are most likely the reason. */
const afterProblems = <Result>(problems: ProblemList, write: () => Result): Result => {
  try {
    return write()
  } catch (error) {
    if (problems.isEmpty || !(error instanceof XlsFormError)) throw error
    throw new XlsFormError([...problems.sorted(), ...error.problems])
  }
}

const readTables = (workbook: Workbook, problems: ProblemList, warnings: ProblemList): Tables => {
  const read = (name: SheetName, options = { defaultLanguage: 'default', collapseSpaces: false }) => {
    const raw = workbook.sheets.get(name)
    if (raw?.unread !== undefined) {
      const message = `Rows from ${raw.unread} on are not read, since more than ${limits.emptyRows} empty rows lie above them. Remove the empty rows.`
      warnings.add('rows-not-read', message, { sheet: name, row: raw.unread })
    }
    return raw === undefined ? undefined : readTable(name, raw, options, problems, warnings)
  }
  const settings = read('settings')
  const { defaultLanguage, collapseSpaces } = readingOptions(settings)
  const verbatim = { defaultLanguage, collapseSpaces: false }
  const survey = read('survey', { defaultLanguage, collapseSpaces })
  if (survey === undefined) {
    const message = `The workbook has no sheet named survey.${missingSheetHint('survey', workbook)}`
    problems.add('missing-survey', message, { sheet: 'survey' })
    throw new XlsFormError(problems.items)
  }
  if (!survey.has('type')) {
    problems.add('missing-column', "The survey sheet needs a column 'type' in its first row.", {
      sheet: 'survey',
      row: 1,
      column: 'type',
    })
    throw new XlsFormError(problems.items)
  }
  const tables = {
    settings,
    survey,
    choices: read('choices', verbatim),
    externalChoices: read('external_choices', verbatim),
    osm: read('osm', verbatim),
    entities: read('entities', verbatim),
  }
  warnOfMisspeltSheets(workbook, warnings)
  warnOfLanguages([survey, ...(tables.choices === undefined ? [] : [tables.choices])], warnings)
  return tables
}

/** Settings may also be given as survey rows: the type is the setting, the name its value. */
const settingRows = (survey: Table): Map<string, string> => {
  const settings = new Map<string, string>()
  for (const row of survey.rows) {
    if (isYes(row.get('disabled'))) continue
    const kind = rowKind(row.get('type') ?? '')
    const value = row.get('name')
    if (kind.kind === 'setting' && value !== undefined) settings.set(kind.key, value)
  }
  return settings
}

const surveyContext = (
  workbook: Workbook,
  tables: Tables,
  settings: Settings,
  entityLists: readonly EntityList[],
  options: CompileOptions,
  problems: ProblemList,
  warnings: ProblemList,
): SurveyContext => {
  const external = tables.externalChoices
  return {
    settings,
    problems,
    warnings,
    lists: readChoiceLists(tables.choices, settings, problems, warnings),
    externalLists:
      external === undefined ? null : new Map(external.rows.map((row) => [row.get('list_name') ?? '', row])),
    osmLists: readChoiceLists(tables.osm, settings, problems, warnings),
    entityLists: new Set(entityLists.map(({ dataset }) => dataset)),
    externals: new Externals(problems),
    externalNames: new Set(),
    noChoicesHint: tables.choices === undefined ? missingSheetHint('choices', workbook) : null,
    hasListNameColumn: tables.choices?.has('list_name') ?? true,
    listsOfMultiple: new Set(),
    allowsUnlabelled: options.allowUnlabelled === true,
  }
}

const assemble = (
  survey: Survey,
  context: SurveyContext,
  entityLists: EntityList[],
  tables: Tables,
  options: CompileOptions,
): Form => {
  const { problems, settings, externals, lists } = context
  const meta = buildMeta(survey, settings)
  const resolver = new Resolver(survey.names, lists, problems, context.warnings)
  connectTriggers(survey.root, resolver, context)
  readSaveTo(survey.root, entityLists, problems)
  const entities = placeEntities(entityLists, survey.root, resolver, problems)
  // The versions of an entity are looked up in its list, which the client must then have.
  for (const { updates, dataset, entityId } of entities)
    if (updates && entityId !== null && !externals.has(dataset) && !lists.has(dataset))
      externals.add(dataset, `jr://file-csv/${dataset}.csv`, entityId)
  const order = languagesOf([tables.survey, ...(tables.choices === undefined ? [] : [tables.choices])])
  const form: Form = {
    settings,
    survey: context,
    resolver,
    itext: new Itext(settings.defaultLanguage, order),
    root: survey.root,
    meta,
    entities,
    entityOf: new Map(entities.map((entity) => [entity.container, entity])),
    labelPrefix: options.keepUnshownLabels === true ? freePrefix(settings) : null,
  }
  for (const node of allNodes(survey.root)) resolveNode(node, form)
  for (const node of meta.children) resolveNode(node, form)
  externals.checkAgainst(lists)
  return form
}

/** A prefix that the author has not given to something else. */
const freePrefix = ({ namespaces }: Settings): string => {
  let prefix = 'sheaf'
  while (namespaces.has(prefix)) prefix += '_'
  return prefix
}

/** References are allowed in every setting; those that the document does not evaluate must still name something. */
const checkSettingReferences = (table: Table | undefined, form: Form): void => {
  const row = table?.rows[0]
  for (const [position, column] of row?.table.columns.entries() ?? []) {
    const text = row?.values[position]
    if (text?.includes('${') === true)
      form.resolver.expression({ text, sheet: 'settings', row: row?.number ?? null, column: column.header }, form.root)
  }
}

/** What was saved last is known only when all texts are written: labels may refer to it. */
const checkLastSaved = ({ resolver, survey }: Form): void => {
  if (!resolver.usesLastSaved) return
  survey.externals.checkLastSaved(lastSavedInstance, lastSavedSource)
  const list = survey.lists.get(lastSavedInstance)
  if (list === undefined) return
  const message = `A list cannot be named '${lastSavedInstance}' where a reference such as \${last-saved#q} needs the instance of that name.`
  survey.problems.add('two-sources', message, {
    sheet: 'choices',
    row: list.choices[0]?.row ?? null,
    column: 'list_name',
    value: lastSavedInstance,
  })
}

/** A client that finds no instance of the name refuses the whole form. */
const warnOfUnknownInstances = ({ resolver, survey }: Form): void => {
  const { lists, externals, warnings } = survey
  for (const [id, source] of resolver.instanceUses) {
    if (lists.has(id) || externals.has(id) || id === lastSavedInstance) continue
    const message = `The form has no list or file '${id}' for instance('${id}').${warnings.hint(id, lists)} Add the list or a csv-external row.`
    warnings.add('unknown-instance', message, { ...source, value: source.text })
  }
}
