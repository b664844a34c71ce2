import { describe } from 'vitest'
import { choices, plain, sheet, survey, testMistakes } from './support/mistakes.js'

describe('mistakes in parameters, files, triggers and settings', () => {
  testMistakes({
    'parameters that are no pairs': {
      sheets: survey('type | name | label | parameters', 'text | a | A | rows', 'text | b | B | =3'),
      problems: ['survey 2 parameters: invalid-parameters', 'survey 3 parameters: invalid-parameters'],
      says: /'rows' is no parameter\. Write key=value/,
    },
    'an unknown parameter': {
      sheets: survey('type | name | label | parameters', 'image | a | A | max-pixel=3', 'geopoint | b | B | rows=2'),
      problems: [2, 3].map((row) => `survey ${row} parameters: unknown-parameter`),
      says: /'max-pixel' is not known\. Did you mean 'max-pixels'\? An image accepts max-pixels, app/,
    },
    'bad values of parameters': {
      sheets: survey(
        'type | name | label | parameters',
        'text | a | A | rows=many',
        'image | b | B | max-pixels=big',
        'image | c | C | max-pixels=9 app=nodots',
        'audio | d | D | quality=best',
        'geopoint | e | E | capture-accuracy=near',
        'geopoint | f | F | allow-mock-accuracy=maybe',
        'geotrace | g | G | incremental=false',
        'background-audio | h | | quality=external',
      ),
      problems: [2, 3, 4, 5, 6, 7, 8, 9].map((row) => `survey ${row} parameters: invalid-parameter`),
      says: /rows must be a whole number, not 'many'/,
    },
    'parameters that are no pairs, where none are taken': {
      sheets: survey('type | name | label | parameters', 'integer | a | A | rows'),
      problems: ['survey 2 parameters: invalid-parameters'],
      says: /'rows' is no parameter/,
    },
    'bad ranges': {
      sheets: survey(
        'type | name | label | parameters | appearance',
        'range | a | A | start=x |',
        'range | b | B | step=0 |',
        'range | c | C | start=1 end=3 step=5 |',
        'range | d | D | start=0 end=10 step=2 tick_interval=3 |',
        'range | e | E | start=0 end=10 placeholder=11 |',
        'range | f | F | start=0 end=10 step=2 placeholder=3 |',
        'range | g | G | start=0 end=10 tick_interval=5 | picker',
        'range | h | H | tick_labelset=nothing |',
      ),
      problems: [
        ...[2, 3, 4, 5, 6, 7, 8].map((row) => `survey ${row} parameters: invalid-parameter`),
        'survey 9 parameters: unknown-list',
      ],
      says: /start must be a number/,
    },
    'bad tick labels': {
      sheets: `${survey('type | name | label | parameters | appearance', 'range | a | A | start=0 end=10 tick_interval=5 tick_labelset=t |', 'range | b | B | start=0 end=10 tick_labelset=u | no-ticks')}\n${sheet('choices', ['list_name | name | label', 't | 0 | N', 't | 3 | X', 't | ten | Y', 'u | 0 | N', 'u | 5 | M'])}`,
      problems: [
        'choices 3 name: invalid-tick-label',
        'choices 4 name: invalid-tick-label',
        'choices 6 name: invalid-tick-label',
      ],
      says: /'3' must be a number on a tick between 0 and 10/,
    },
    'a file select without a file': {
      sheets: survey(
        'type | name | label',
        'select_one_from_file cities | a | A',
        'select_one_from_file a.b.csv | b | B',
        'select_multiple_from_file x.txt | c | C',
      ),
      problems: [2, 3, 4].map((row) => `survey ${row} type: invalid-file`),
      says: /\.csv, \.xml or \.geojson/,
    },
    'bad value and label of a file select': {
      sheets: survey('type | name | label | parameters', 'select_one_from_file c.csv | a | A | value=1x label=a/b'),
      problems: ['survey 2 parameters: invalid-parameter', 'survey 2 parameters: invalid-parameter'],
      says: /value must name a column/,
    },
    'an external select without its sheet': {
      sheets: survey('type | name | label | choice_filter', 'select_one_external l | a | A | x=1'),
      problems: ['survey 2 type: missing-external-choices'],
      says: /needs a sheet external_choices/,
    },
    'an external select without its list': {
      sheets: `${survey('type | name | label | choice_filter', 'select_one_external lits | a | A | x=1')}\n${sheet('external_choices', ['list_name | name', 'list | x'])}`,
      problems: ['survey 2 type: unknown-list'],
      says: /not on the external_choices sheet\. Did you mean 'list'/,
    },
    'bad triggers': {
      sheets: survey(
        'type | name | label | trigger | calculation',
        'text | a | A | |',
        'begin group | g | G | |',
        'text | b | B | |',
        'end group | | | |',
        'calculate | c | | | 1',
        'calculate | d | | a | 1',
        'calculate | e | | ${a} ${b} | 1',
        'calculate | f | | ${zz} | 1',
        'calculate | h | | ${g} | 1',
        'calculate | i | | ${c} | 1',
      ),
      problems: [
        'survey 7 trigger: invalid-trigger',
        'survey 8 trigger: invalid-trigger',
        'survey 9 trigger: unknown-reference',
        'survey 10 trigger: invalid-trigger',
        'survey 11 trigger: invisible-trigger',
      ],
      says: /separated by commas/,
    },
    'a background-geopoint on its own or with a calculation': {
      sheets: survey(
        'type | name | label | trigger | calculation',
        'text | a | A | |',
        'background-geopoint | b | | |',
        'background-geopoint | c | | ${a} | 1',
      ),
      problems: [
        'survey 3 trigger: background-geopoint-trigger',
        'survey 4 calculation: background-geopoint-calculation',
      ],
      says: /needs a trigger/,
    },
    'one instance id, two sources': {
      sheets: `${survey('type | name | label | calculation', 'select_one_from_file a.csv | q | Q |', 'select_one_from_file a.xml | r | R |', "calculate | c | | pulldata('yn', 'x', 'y', 'z')")}\n${choices}`,
      problems: ['survey 3 type: two-sources', 'survey 4 calculation: two-sources'],
      says: /'a' stands for two files: a\.csv \(row 2\) and a\.xml/,
    },
    'two external rows of one name': {
      sheets: survey('type | name | label', 'text | q | Q', 'csv-external | a |', 'csv-external | a |'),
      problems: ['survey 4 name: duplicate-external'],
      says: /Two external files are named 'a'/,
    },
    'a search() list that is shared, or with a file': {
      sheets: `${survey('type | name | label | appearance', "select_one yn | a | A | search('x')", 'select_one yn | b | B |', "select_one_from_file f.csv | c | C | search('x')")}\n${choices}`,
      problems: ['survey 3 appearance: shared-search-list', 'survey 4 appearance: search-with-file'],
      says: /used with search\(\) \(row 2\) and without it \(row 3\)/,
    },
    'seeds and randomize': {
      sheets: `${survey('type | name | label | parameters', 'select_one yn | a | A | seed=3', 'select_one yn | b | B | randomize=sometimes', 'select_one yn | c | C | randomize=true seed=abc')}\n${choices}`,
      problems: [2, 3, 4].map((row) => `survey ${row} parameters: invalid-parameter`),
      says: /A seed needs randomize=true/,
    },
    'a big-image without an image': {
      sheets: survey('type | name | label | big-image', 'text | a | A | a.png'),
      problems: ['survey 2 big-image: big-image-without-image'],
      says: /'a' has a big-image but no image/,
    },
    'an audit of another name or with bad parameters': {
      sheets: survey(
        'type | name | label | parameters',
        'text | a | A |',
        'audit | log | | location-priority=balanced',
        'audit | audit | | location-priority=balanced location-min-interval=60 location-max-age=10',
        'audit | audit | | track-changes=perhaps',
      ),
      problems: [
        'survey 3 name: audit-name',
        'survey 3 parameters: invalid-parameter',
        'survey 4 parameters: invalid-parameter',
        'survey 5 parameters: invalid-parameter',
      ],
      says: /must be named 'audit', not 'log'/,
    },
    'no instanceID but encryption': {
      sheets: `${plain}\n${sheet('settings', ['omit_instanceID | public_key', 'yes | MIIB'])}`,
      problems: ['settings 2 omit_instanceID: encryption-needs-instance-id'],
      says: /needs its instanceID/,
    },
    'a form name that is no XML name': {
      sheets: `${plain}\n${sheet('settings', ['name', 'my form'])}`,
      problems: ['settings 2 name: invalid-name'],
      says: /'my form' is no valid element name/,
    },
    'settings that cannot be written': {
      sheets: `${plain}\n${sheet('settings', ['namespaces | attribute::id | attribute::a b', 'nonsense | x | y'])}`,
      problems: [
        'settings 2 namespaces: invalid-namespaces',
        'settings 2 attribute::id: reserved-attribute',
        'settings 2 attribute::a b: invalid-name',
      ],
      says: /prefix="address" pairs/,
    },
    'a bind attribute that is no name': {
      sheets: survey('type | name | label | bind::my attr', 'text | a | A | x'),
      problems: ['survey 1 bind::my attr: invalid-name'],
      says: /no valid attribute name/,
    },
    'a reference-geometry of nothing': {
      sheets: survey(
        'type | name | label | parameters',
        'text | t | T |',
        'geopoint | a | A | reference-geometry=nothing',
        'geopoint | b | B | reference-geometry=${t}',
      ),
      problems: ['survey 3 parameters: unknown-list', 'survey 4 parameters: invalid-parameter'],
      says: /neither a choice list nor a file/,
    },
  })
})
