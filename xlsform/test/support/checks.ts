// One form for everything that the compiler finds, from which the README's table is made.
import { compile } from '../../src/compile.js'
import { type Problem, XlsFormError } from '../../src/problems.js'
import { choices, plain, sheet, survey } from './mistakes.js'
import { text } from './workbooks.js'

const three = 'type | name | label'
const of = (...rows: string[]): string => survey(three, ...rows)
const and = (...sheets: string[]): string => sheets.join('\n')
const with4 = (column: string, ...rows: string[]): string => survey(`${three} | ${column}`, ...rows)
const settings = (header: string, row: string): string => and(plain, sheet('settings', [header, row]))
const entities = (header: string, ...rows: string[]): string => sheet('entities', [header, ...rows])
const trees = entities('list_name | label', 'trees | ${a}')
const twoLists = entities('list_name | label', 'trees | ${a}', 'sites | ${a}')

/** Heading → code → a form that has it. */
export const checks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Sheets and columns': {
    'missing-survey': and(sheet('surve', [three, 'text | a | A']), choices),
    'misspelt-sheet': and(plain, sheet('setings', ['form_id', 'a'])),
    'missing-column': survey('name | label', 'a | A'),
    'rows-not-read': of('text | a | A', ...Array.from({ length: 61 }, () => ' | | '), 'text | b | B'),
    'unknown-column': with4('relevnt', 'text | a | A | 1 = 1'),
    'duplicate-header': with4('label', 'text | a | A | B'),
    'invalid-choices-column': and(
      of('select_one l | a | A'),
      sheet('choices', ['list_name | name | label | my column', 'l | b | B | C']),
    ),
    'reserved-attribute': with4('bind::nodeset', 'text | a | A | x'),
    'undeclared-prefix': with4('bind::my:thing', 'text | a | A | x'),
    'missing-translation': survey(
      'type | name | label::English (en) | label::French (fr) | hint::English (en)',
      'text | a | A | A | B',
    ),
    'language-without-code': survey('type | name | label::French', 'text | a | A'),
    'unknown-default-language': and(
      survey('type | name | label::French (fr)', 'text | a | A'),
      sheet('settings', ['default_language', 'Frnch (fr)']),
    ),
  },
  'Rows of the survey': {
    'empty-survey': survey(three),
    'missing-type': of('text | a | A', ' | b | B'),
    'row-skipped': with4('hint', 'text | a | A |', ' | | | B'),
    'unknown-type': of('intger | a | A'),
    'deprecated-type': of('text | a | A', 'simserial | s | '),
    'missing-name': of('text | | A'),
    'invalid-name': of('text | my name | A'),
    'reserved-name': of('text | meta | A'),
    'duplicate-name': of('text | a | A', 'text | a | B'),
    'similar-names': of('text | age | A', 'text | Age | B'),
    'missing-label': of('text | a | '),
    'disabled-used': with4('disabled', 'text | a | A |', 'text | b | B | yes'),
    'big-image-without-image': with4('big-image', 'text | a | A | a.png'),
    'image-without-max-pixels': of('image | a | A'),
    'audit-name': of('text | a | A', 'audit | log | '),
    'missing-calculation': of('text | a | A', 'calculate | c | '),
    'default-is-text': with4('default', 'text | a | A | today('),
    'background-geopoint-trigger': of('text | a | A', 'background-geopoint | b | '),
    'background-geopoint-calculation': survey(
      `${three} | trigger | calculation`,
      'text | a | A | | ',
      'background-geopoint | b | | ${a} | 1',
    ),
    'invalid-trigger': survey(`${three} | trigger | calculation`, 'text | a | A | | ', 'text | b | B | a | now()'),
    'invisible-trigger': survey(
      `${three} | trigger | calculation`,
      'calculate | a | | | 1',
      'text | b | B | ${a} | now()',
    ),
    'trigger-outside-repeat': survey(
      `${three} | trigger | calculation`,
      'text | a | A | | ',
      'begin repeat | r | R | | ',
      'text | b | B | ${a} | now()',
      'end repeat | | | | ',
    ),
    'duplicate-external': of('text | a | A', 'csv-external | f | ', 'csv-external | f | '),
    'two-sources': of('select_one_from_file f.csv | a | A', 'select_one_from_file f.xml | b | B'),
  },
  'Groups, repeats and loops': {
    'unmatched-begin': of('begin group | g | G', 'text | a | A'),
    'unmatched-end': of('text | a | A', 'end group | | '),
    'crossed-containers': of('begin group | g | G', 'begin repeat | r | R', 'text | a | A', 'end group | | '),
    'empty-repeat': of('text | a | A', 'begin repeat | r | R', 'end repeat | | '),
    'repeat-without-label': of('begin repeat | r | ', 'text | a | A', 'end repeat | | '),
    'repeat-named-as-form': of('begin repeat | data | R', 'text | a | A', 'end repeat | | '),
    'loop-without-list': of('begin loop | l | L', 'text | a | A', 'end loop | | '),
    'table-list-filter': and(
      survey(
        `${three} | choice_filter | appearance`,
        'begin group | g | G | | table-list',
        'select_one yn | a | A | true() | ',
        'end group | | | | ',
      ),
      choices,
    ),
    'table-list-lists': and(
      survey(
        `${three} | appearance`,
        'begin group | g | G | table-list',
        'select_one yn | a | A | ',
        'select_one m | b | B | ',
        'end group | | | ',
      ),
      choices,
      '| | m | x | X |',
    ),
  },
  Expressions: {
    'unknown-reference': with4('relevant', 'integer | age | A | ', 'text | b | B | ${aeg} > 5'),
    'ambiguous-reference': with4(
      'relevant',
      'begin group | g | G | ',
      'text | a | A | ',
      'end group | | | ',
      'text | a | A | ',
      'text | b | B | ${a} = 1',
    ),
    'malformed-reference': with4('relevant', 'text | a | A | ', 'text | b | B | ${ a } = 1'),
    'invalid-expression': with4('relevant', 'text | a | A | (1 = 1'),
    'unknown-function': with4('relevant', "text | a | A | cocnat('a') = 'a'"),
    'unknown-choice': and(with4('relevant', 'select_one yn | a | A |', "text | b | B | ${a} = 'yess'"), choices),
    'unknown-instance': with4(
      'calculation',
      'text | a | A | ',
      "calculate | c | | instance('fruits')/root/item[1]/name",
    ),
  },
  Choices: {
    'missing-choices': of('select_one yn | a | A'),
    'unknown-list': and(of('select_one ny | a | A'), choices),
    'invalid-list-name': and(
      of('select_one o\'"k | a | A'),
      sheet('choices', ['list_name | name | label', 'o\'"k | x | X']),
    ),
    'choice-without-name': and(of('select_one l | a | A'), sheet('choices', ['list_name | name | label', 'l | | X'])),
    'choice-without-label': and(
      of('select_one l | a | A'),
      sheet('choices', ['list_name | name | label', 'l | x | ', 'l | y | Y']),
    ),
    'duplicate-choice': and(
      of('select_one l | a | A'),
      sheet('choices', ['list_name | name | label', 'l | x | X', 'l | x | Y']),
    ),
    'space-in-choice': and(
      of('select_multiple l | a | A'),
      sheet('choices', ['list_name | name | label', 'l | x y | X']),
    ),
    'other-with-filter': and(with4('choice_filter', 'select_one yn or_other | a | A | true()'), choices),
    'other-without-list': of('select_one_from_file f.csv or_other | a | A'),
    'other-untranslated': and(
      survey('type | name | label::English (en)', 'select_one l or_other | a | A'),
      sheet('choices', ['list_name | name | label::English (en)', 'l | x | X']),
    ),
    'invalid-file': of('select_one_from_file f.txt | a | A'),
    'search-with-file': with4('appearance', "select_one_from_file f.csv | a | A | search('f')"),
    'shared-search-list': and(
      with4('appearance', "select_one yn | a | A | search('f')", 'select_one yn | b | B | '),
      choices,
    ),
    'missing-external-choices': of('select_one_external l | a | A'),
    'external-without-filter': and(
      of('select_one_external l | a | A'),
      sheet('external_choices', ['list_name | name | label', 'l | x | X']),
    ),
  },
  Parameters: {
    'invalid-parameters': with4('parameters', 'text | a | A | rows'),
    'unknown-parameter': with4('parameters', 'text | a | A | row=5'),
    'invalid-parameter': with4('parameters', 'text | a | A | rows=many'),
    'parameters-ignored': with4('parameters', 'integer | a | A | rows=5'),
    'invalid-tick-label': and(
      with4('parameters', 'range | a | A | start=1 end=5 tick_labelset=l'),
      sheet('choices', ['list_name | name | label', 'l | 7 | Seven']),
    ),
    'filter-ignored': and(
      survey(`${three} | parameters | choice_filter`, 'range | a | A | start=1 end=5 tick_labelset=l | true()'),
      sheet('choices', ['list_name | name | label', 'l | 1 | One']),
    ),
  },
  Settings: {
    'two-form-ids': settings('form_id | id_string', 'a | b'),
    'unclear-setting': settings('client_editable', 'perhaps'),
    'invalid-namespaces': settings('namespaces', 'my address'),
    'encryption-needs-instance-id': settings('public_key | omit_instanceID', 'abc | yes'),
  },
  Entities: {
    'missing-entity-list': and(plain, entities('list_name | label', ' | ${a}')),
    'invalid-entity-list': and(plain, entities('list_name | label', 'my trees | ${a}')),
    'duplicate-entity-list': and(plain, entities('list_name | label', 'trees | ${a}', 'trees | ${a}')),
    'entity-needs-label': and(plain, entities('list_name | label', 'trees | ')),
    'entity-needs-id': and(plain, entities('list_name | label | update_if', 'trees | ${a} | true()')),
    'entity-needs-update-if': and(
      plain,
      entities('list_name | label | entity_id | create_if', 'trees | ${a} | ${a} | true()'),
    ),
    'entity-scopes': and(
      with4(
        'save_to',
        'begin repeat | r | R | ',
        'text | a | A | p',
        'end repeat | | | ',
        'begin repeat | s | S | ',
        'text | b | B | q',
        'end repeat | | | ',
      ),
      trees,
    ),
    'no-place-for-entity': and(with4('save_to', 'text | a | A | trees#p', 'text | b | B | sites#q'), twoLists),
    'save-to-without-entities': with4('save_to', 'text | a | A | p'),
    'save-to-needs-list': and(
      with4('save_to', 'text | a | A | p', 'begin group | g | G | ', 'text | b | B | sites#q', 'end group | | | '),
      twoLists,
    ),
    'save-to-on-container': and(
      with4('save_to', 'begin group | g | G | p', 'text | a | A | ', 'end group | | | '),
      trees,
    ),
    'save-to-taken-over': and(
      with4(
        'save_to',
        'text | a | A | trees#p',
        'begin group | g | G | ',
        'text | b | B | sites#q',
        'text | c | C | trees#r',
        'end group | | | ',
      ),
      twoLists,
    ),
    'duplicate-save-to': and(with4('save_to', 'text | a | A | p', 'text | b | B | p'), trees),
    'unknown-entity-list': and(with4('save_to', 'text | a | A | tree#p'), trees),
    'invalid-property': and(with4('save_to', 'text | a | A | my property'), trees),
    'reserved-property': and(with4('save_to', 'text | a | A | name'), trees),
  },
}

/** What needs a file, a very large form or another function than `compile` to be seen. */
export const otherCodes: Readonly<Record<string, string>> = {
  'unreadable-file': 'The file is damaged, or no form.',
  'encrypted-file': 'The file is protected by a password.',
  'legacy-file': 'An .xls file, in a browser.',
  'unreadable-date': 'A cell holds a date that no calendar has.',
  'duplicate-sheet': 'Two sheets have one name.',
  'file-too-large': 'More than 64 MB; 16 MB of .xls.',
  'unpacks-too-large': 'A file that unpacks to more than a form can hold.',
  'too-many-sheets': 'More than 200 sheets.',
  'too-many-rows': 'More than 50,000 rows of the survey.',
  'too-many-columns': 'More columns than are written to a workbook.',
  'too-many-empty-rows': 'More than 100,000 empty rows between others, of sheets that are shown or written again.',
  'too-many-cells': 'More than 4,000,000 cells of a sheet, or empty ones of all sheets that are shown.',
  'cell-too-long': 'More than 65,536 characters in a cell; 32,767 of one that is written.',
  'sheet-too-large': 'More than 32 million characters on a sheet.',
  'nesting-too-deep': 'More than 60 groups within each other.',
  'fixed-instance-id': 'An XForm that gives every record the same id.',
  'loop-too-large': 'A loop that multiplies the form into more than 200,000 rows.',
  'form-too-large': 'An XForm of more than 64 MB.',
  'too-large': 'A form that takes more time or memory than its thread may.',
  'no-sheets': 'A workbook to be written has no sheet.',
  'invalid-sheet-name': 'A sheet to be written has a name that spreadsheet programs refuse.',
  doctype: 'An XForm that declares a document type.',
  'invalid-xml': 'An XForm that is not well-formed.',
  'not-an-xform': 'XML that is no XForm.',
}

export interface Found {
  readonly problem: Problem
  readonly isWarning: boolean
}

/** What the compiler says to a form, first of all with this code. */
export const foundIn = (sheets: string, code: string): Found | undefined => {
  try {
    const problem = compile(text(sheets)).warnings.find((one) => one.code === code)
    return problem && { problem, isWarning: true }
  } catch (error) {
    if (!(error instanceof XlsFormError)) throw error
    const problem = error.problems.find((one) => one.code === code)
    return problem && { problem, isWarning: false }
  }
}
