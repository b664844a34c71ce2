import { describe } from 'vitest'
import { sheet, survey, testMistakes } from './support/mistakes.js'

describe('mistakes in names, types, groups and expressions', () => {
  testMistakes({
    'a misspelt type': {
      sheets: survey('type | name | label', 'txet | a | A'),
      problems: ['survey 2 type: unknown-type'],
      says: /Unknown question type 'txet'\. Did you mean 'text'\?/,
    },
    'a type in the wrong case': {
      sheets: survey('type | name | label', 'Integer | a | A'),
      problems: ['survey 2 type: unknown-type'],
      says: /Did you mean 'integer'\?/,
    },
    'equal names of siblings': {
      sheets: survey('type | name | label', 'text | a | A', 'text | b | B', 'integer | a | A'),
      problems: ['survey 4 name: duplicate-name'],
      says: /The name 'a' is used twice on this level of the form \(first in row 2\)/,
    },
    'equal names in a group': {
      sheets: survey('type | name | label', 'begin group | g | G', 'text | a | A', 'text | a | A', 'end group | |'),
      problems: ['survey 4 name: duplicate-name'],
      says: /used twice in 'g'/,
    },
    'letters and digits that XML does not take': {
      sheets: survey('type | name | label', 'text | µg | A', 'text | x² | B', 'text | ªa | C'),
      problems: [2, 3, 4].map((row) => `survey ${row} name: invalid-name`),
      says: /'µg' is no valid question name/,
    },
    'references in texts that are never shown': {
      sheets: survey('type | name | label | calculation', 'calculate | a | See ${b} | 1', 'text | c | C |'),
      problems: ['survey 2 label: unknown-reference'],
      says: /No question is named 'b'/,
    },
    'attributes that the compiler writes itself': {
      sheets: survey('type | name | label | bind::nodeset | body::ref', 'text | a | A | x | y'),
      problems: ['survey 1 bind::nodeset: reserved-attribute', 'survey 1 body::ref: reserved-attribute'],
      says: /written by the compiler itself/,
    },
    'an external file whose name is no name': {
      sheets: survey('type | name | label', 'text | a | A', 'csv-external | my file |'),
      problems: ['survey 3 name: invalid-name'],
      says: /no valid file name/,
    },
    'an unknown type does not make references and triggers to it wrong': {
      sheets: survey(
        'type | name | label | relevant | trigger | calculation',
        'txet | a | A | | |',
        'text | b | B | ${a} = 1 | |',
        'calculate | c | | | ${a} | 1',
      ),
      problems: ['survey 2 type: unknown-type'],
      says: /Did you mean 'text'/,
    },
    'names that are missing or invalid': {
      sheets: survey(
        'type | name | label',
        'text | | A',
        'text | a b | B',
        'text | 1a | C',
        'begin group | | D',
        'end group | |',
      ),
      problems: [
        'survey 2 name: missing-name',
        'survey 3 name: invalid-name',
        'survey 4 name: invalid-name',
        'survey 5 name: missing-name',
      ],
      says: /The row has no name/,
    },
    'a prefix nobody declared': {
      sheets: survey('type | name | label', 'text | x:a | A'),
      problems: ['survey 2 name: undeclared-prefix'],
      says: /Add x="…" to the setting namespaces/,
    },
    'a missing type': {
      sheets: survey('type | name | label', ' | a | A', ' | | B'),
      problems: ['survey 2 type: missing-type', 'survey 3 type: missing-type'],
      says: /The row has no type/,
    },
    'a question without label and hint': {
      sheets: survey('type | name | label | guidance_hint', 'text | a | |', 'text | b | | Only guidance'),
      problems: ['survey 2 label: missing-label', 'survey 3 label: missing-label'],
      says: /The question 'a' needs a label or hint/,
    },
    'a begin without end': {
      sheets: survey(
        'type | name | label',
        'begin group | g | G',
        'text | a | A',
        'begin repeat | r | R',
        'text | b | B',
      ),
      problems: ['survey 2 type: unmatched-begin', 'survey 4 type: unmatched-begin'],
      says: /The group 'g' is never closed\. Add a row end_group/,
    },
    'an end without begin': {
      sheets: survey('type | name | label', 'text | a | A', 'end repeat | |', 'end_group | |'),
      problems: ['survey 3 type: unmatched-end', 'survey 4 type: unmatched-end'],
      says: /This end_repeat closes nothing/,
    },
    'crossed containers': {
      sheets: survey(
        'type | name | label',
        'begin group | g | G',
        'begin repeat | r | R',
        'text | a | A',
        'end group | |',
      ),
      problems: ['survey 5 type: crossed-containers'],
      says: /while the repeat 'r' of row 3 is still open\. Write end_repeat first/,
    },
    'a calculate without a calculation': {
      sheets: survey(
        'type | name | label | default',
        'calculate | a | |',
        'calculate | b | | 5',
        'calculate | c | | today()',
      ),
      problems: ['survey 2 calculation: missing-calculation', 'survey 3 calculation: missing-calculation'],
      says: /The calculate 'a' has no calculation/,
    },
    'an empty survey': {
      sheets: survey('type | name | label'),
      problems: ['survey - -: empty-survey'],
      says: /has no questions/,
    },
    'a repeat named like the form': {
      sheets: survey('type | name | label', 'begin repeat | data | R', 'text | a | A', 'end repeat | |'),
      problems: ['survey 2 name: repeat-named-as-form'],
      says: /cannot be named 'data' like the form itself/,
    },
    'two repeats of one name': {
      sheets: survey(
        'type | name | label',
        'begin repeat | r | R',
        'text | a | A',
        'end repeat | |',
        'begin group | g | G',
        'begin repeat | r | R',
        'text | b | B',
        'end repeat | |',
        'end group | |',
      ),
      problems: ['survey 6 name: duplicate-name'],
      says: /A repeat's name must be unique in the form/,
    },
    'a repeat without questions': {
      sheets: survey('type | name | label', 'text | a | A', 'begin repeat | r | R', 'end repeat | |'),
      problems: ['survey 3 name: empty-repeat'],
      says: /holds no questions/,
    },
    'the name meta, at every level': {
      sheets: survey(
        'type | name | label',
        'text | meta | M',
        'begin group | g | G',
        'text | meta | M',
        'end group | |',
      ),
      problems: ['survey 2 name: reserved-name', 'survey 4 name: reserved-name'],
      says: /'meta' is reserved/,
    },
    'expressions that cannot be read': {
      sheets: survey(
        'type | name | label | relevant | constraint | calculation',
        'integer | a | A | | . > 0 and |',
        "text | b | B | (${a} > 1 | . = 'x |",
        'calculate | c | | | | if(${a} > 1, 2',
        'calculate | d | | | | ${a} && 3',
      ),
      problems: [
        'survey 2 constraint: invalid-expression',
        'survey 3 relevant: invalid-expression',
        'survey 3 constraint: invalid-expression',
        'survey 4 calculation: invalid-expression',
        'survey 5 calculation: invalid-expression',
      ],
      says: /a value is missing before the end/,
    },
    'a group of a flat form as a target': {
      sheets: `${survey('type | name | label | relevant', 'begin group | g | G |', 'text | a | A |', 'end group | | |', 'text | b | B | ${g} != 1')}\n${sheet('settings', ['flat', 'yes'])}`,
      problems: ['survey 5 relevant: unknown-reference'],
      says: /leaves no element in a flat form/,
    },
    'nesting beyond reason, after which nothing more is read': {
      sheets: survey(
        'type | name | label',
        ...Array.from({ length: 61 }, (_, i) => `begin group | g${i} | G`),
        'text | a | A',
        ...Array.from({ length: 61 }, () => 'end group | |'),
      ),
      problems: ['survey 62 type: nesting-too-deep'],
      says: /more than 60 levels/,
    },
  })
})
