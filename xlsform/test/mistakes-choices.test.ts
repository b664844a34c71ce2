import { describe } from 'vitest'
import { choices, plain, sheet, survey, testMistakes } from './support/mistakes.js'

describe('mistakes in references, lists and headers', () => {
  testMistakes({
    'a select without a list': {
      sheets: survey('type | name | label', 'select_one | a | A') + choices.replace('|', '\n|'),
      problems: ['survey 2 type: unknown-type'],
      says: /Name the list of choices after it, for example 'select_one yn'/,
    },
    'a misspelt select': {
      sheets: `${survey('type | name | label', 'selct_one yn | a | A')}\n${choices}`,
      problems: ['survey 2 type: unknown-type'],
      says: /Did you mean 'select_one yn'\?/,
    },
    'a reference to nothing': {
      sheets: survey('type | name | label | relevant', 'integer | age | Age |', 'text | a | A | ${aeg} > 3'),
      problems: ['survey 3 relevant: unknown-reference'],
      says: /No question is named 'aeg'.*Did you mean 'age'\?/,
    },
    'a reference to nothing in every kind of column': {
      sheets: [
        survey(
          'type | name | label | hint | constraint | constraint_message | calculation | choice_filter | default | required | read_only | repeat_count | guidance_hint | parameters',
          'text | a | A ${q} | H ${q} | . > ${q} | M ${q} | | | ${q} | ${q} | ${q} | | G ${q} |',
          'calculate | c | | | | | ${q} | | | | | | |',
          'select_one yn | s | S | | | | | name = ${q} | | | | | | randomize=true seed=${q}',
          'begin repeat | r | R | | | | | | | | | ${q} | |',
          'text | t | T | | | | | | | | | | |',
          'end repeat | | | | | | | | | | | | |',
        ),
        sheet('choices', ['list_name | name | label', 'yn | yes | Yes ${q}']),
        sheet('settings', ['instance_name', 'concat(${q}, 1)']),
      ].join('\n'),
      problems: [
        'survey 2 constraint: unknown-reference',
        'survey 2 required: unknown-reference',
        'survey 2 read_only: unknown-reference',
        'survey 2 constraint_message: unknown-reference',
        'survey 2 default: unknown-reference',
        'survey 2 label: unknown-reference',
        'survey 2 hint: unknown-reference',
        'survey 2 guidance_hint: unknown-reference',
        'survey 3 calculation: unknown-reference',
        'survey 4 choice_filter: unknown-reference',
        'survey 4 parameters: unknown-reference',
        'survey 5 repeat_count: unknown-reference',
        'choices 2 label: unknown-reference',
        'settings 2 instance_name: unknown-reference',
      ],
      says: /No question is named 'q'/,
    },
    'an ambiguous reference': {
      sheets: survey(
        'type | name | label | relevant',
        'begin group | g | G |',
        'text | a | A |',
        'end group | | |',
        'text | a | A |',
        'text | b | B | ${a} = 1',
      ),
      problems: ['survey 6 relevant: ambiguous-reference'],
      says: /several questions are named 'a'/,
    },
    'malformed references': {
      sheets: survey(
        'type | name | label | relevant',
        'text | a | A |',
        'text | b | B | ${a',
        'text | c | C | ${ a } = 1',
        'text | d | D | ${} = 1',
        'text | e | E | ${last-saved#} = 1',
      ),
      problems: [3, 4, 5, 6].map((row) => `survey ${row} relevant: malformed-reference`),
      says: /A reference is written '\$\{name\}'/,
    },
    'a list that is not there': {
      sheets: `${survey('type | name | label', 'select_one ny | a | A')}\n${choices}`,
      problems: ['survey 2 type: unknown-list'],
      says: /The list 'ny' is not on the choices sheet/,
    },
    'a misspelt list': {
      sheets: `${survey('type | name | label', 'select_one frut | a | A')}\n${sheet('choices', ['list_name | name | label', 'fruit | x | X'])}`,
      problems: ['survey 2 type: unknown-list'],
      says: /Did you mean 'fruit'\?/,
    },
    'a select without a choices sheet': {
      sheets: `${survey('type | name | label', 'select_one yn | a | A')}\n${sheet('chioces', ['list_name | name | label'])}`,
      problems: ['survey 2 type: missing-choices'],
      says: /needs a sheet choices with the columns list_name, name and label\. Rename 'chioces' to 'choices'/,
    },
    'a choices sheet without list_name': {
      sheets: `${survey('type | name | label', 'select_one yn | a | A')}\n${sheet('choices', ['list | name | label', 'yn | y | Y'])}`,
      problems: ['survey 2 type: unknown-list'],
      says: /has no column 'list_name'/,
    },
    'choices without a name or with an equal one': {
      sheets: `${plain}\n${sheet('choices', ['list_name | name | label', 'l | | X', 'l | a | A', 'l | a | B', 'm | a | C'])}`,
      problems: ['choices 2 name: choice-without-name', 'choices 4 name: duplicate-choice'],
      says: /A choice of list 'l' has no name/,
    },
    'a space in a choice of a select_multiple': {
      sheets: `${survey('type | name | label', 'select_multiple l | a | A')}\n${sheet('choices', ['list_name | name | label', 'l | a b | X'])}`,
      problems: ['choices 2 name: space-in-choice'],
      says: /The choice 'a b' of list 'l' has a space in its name.*Write 'a_b'/,
    },
    'no survey sheet': {
      sheets: `${sheet('survye', ['type | name'])}\n${choices}`,
      problems: ['survey - -: missing-survey'],
      says: /no sheet named survey\. Rename 'survye' to 'survey'/,
    },
    'a misspelt survey sheet with an underscore is exempt': {
      sheets: `${sheet('_survey', ['type | name'])}\n${choices}`,
      problems: ['survey - -: missing-survey'],
      says: /no sheet named survey\.$/,
    },
    'a survey without a type column': {
      sheets: survey('kind | name | label', 'text | a | A'),
      problems: ['survey 1 type: missing-column'],
      says: /needs a column 'type'/,
    },
    'a choices sheet without a name column': {
      sheets: `${plain}\n${sheet('choices', ['list_name | label', 'l | X'])}`,
      problems: ['choices 1 name: missing-column'],
      says: /needs a column 'name'/,
    },
    'a header twice': {
      sheets: survey('type | name | label | label', 'text | a | A | B'),
      problems: ['survey 1 label: duplicate-header'],
      says: /The column 'label' is there twice/,
    },
    'two headers of one meaning': {
      sheets: survey('type | name | label | relevant | relevance', 'text | a | A | |'),
      problems: ['survey 1 relevance: duplicate-header'],
      says: /'relevant' and 'relevance' mean the same/,
    },
    'or_other where no list takes the choice': {
      sheets: `${survey(
        'type | name | label | choice_filter',
        'select_one_from_file f.csv or_other | a | A |',
        'select_multiple_from_file g.xml or other | b | B |',
        'select_one ${a} or_other | c | C |',
        'select_one_external l or_other | d | D |',
      )}\n${sheet('external_choices', ['list_name | name | label', 'l | a | A'])}`,
      problems: [2, 3, 4, 5].map((row) => `survey ${row} type: other-without-list`),
      says: /these choices come from a file\. Add a choice other there/,
    },
    'what would be the instance of the last saved record twice': {
      sheets: survey(
        'type | name | label | calculation',
        'xml-external | __last-saved | |',
        'integer | a | A |',
        'calculate | b | | ${last-saved#a} + 4',
      ),
      problems: ['survey 2 name: two-sources'],
      says: /'__last-saved' stands for two files: __last-saved\.xml \(row 2\) and last-saved/,
    },
    'the same, where a label refers to it and a list has its name': {
      sheets: `${survey('type | name | label', 'select_one __last-saved | a | A ${last-saved#a}')}\n${sheet('choices', ['list_name | name | label', '__last-saved | a | A'])}`,
      problems: ['choices 2 list_name: two-sources'],
      says: /A list cannot be named '__last-saved'/,
    },
    'or_other with a choice_filter': {
      sheets: `${survey('type | name | label | choice_filter', 'select_one yn or_other | a | A | true()')}\n${choices}`,
      problems: ['survey 2 choice_filter: other-with-filter'],
      says: /or_other cannot be used together with a choice_filter/,
    },
    'a table-list with a filter or two lists': {
      sheets: `${survey('type | name | label | choice_filter | appearance', 'begin group | g | G | | table-list', 'select_one yn | a | A | true() |', 'select_one m | b | B | |', 'end group | | | |')}\n${choices}\n| | m | x | X |`,
      problems: ['survey 3 choice_filter: table-list-filter', 'survey 4 type: table-list-lists'],
      says: /cannot have a choice_filter/,
    },
    'a loop without a list, or with an unknown one': {
      sheets: `${survey('type | name | label', 'begin loop | x | X', 'text | a | A', 'end loop | |', 'begin loop over ny | y | Y', 'text | b | B', 'end loop | |')}\n${choices}`,
      problems: ['survey 2 type: loop-without-list', 'survey 5 type: unknown-list'],
      says: /Write begin_loop and the name of a list/,
    },
    'a loop that is never closed': {
      sheets: `${survey('type | name | label', 'begin loop over yn | x | X', 'text | a | A')}\n${choices}`,
      problems: ['survey 2 type: unmatched-begin'],
      says: /The loop 'x' is never closed/,
    },
    'a list on the osm sheet that is not there': {
      sheets: `${survey('type | name | label', 'osm tgas | a | A')}\n${sheet('osm', ['list_name | name | label', 'tags | x | X'])}`,
      problems: ['survey 2 type: unknown-list'],
      says: /not on the osm sheet\. Did you mean 'tags'/,
    },
  })
})
