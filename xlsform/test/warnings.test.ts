import { describe, expect, it } from 'vitest'
import { form } from './support/compile.js'
import { choices, plain, sheet, survey } from './support/mistakes.js'

const warningsOf = (markdown: string): string[] =>
  form(markdown).warnings.map(({ sheet: name, row, column, code }) => `${name} ${row ?? '-'} ${column ?? '-'}: ${code}`)

describe('warnings', () => {
  it.each([
    [
      'a repeat without a label',
      survey('type | name | label', 'begin repeat | r |', 'text | a | A', 'end repeat | |'),
      ['survey 2 label: repeat-without-label'],
    ],
    [
      'a choice without a label',
      `${plain}\n${sheet('choices', ['list_name | name | label', 'l | a | A', 'l | b |'])}`,
      ['choices 3 label: choice-without-label'],
    ],
    [
      'an image without max-pixels',
      survey('type | name | label', 'image | a | A'),
      ['survey 2 parameters: image-without-max-pixels'],
    ],
    [
      'parameters where none are taken',
      `${survey(
        'type | name | label | parameters | choice_filter | calculation',
        'integer | a | A | rows=2 x=3 | |',
        'note | b | B | incremental=true | |',
        'calculate | c | | rows=2 | | 1',
        'begin group | g | G | rows=2 | |',
        'osm | o | O | rows=2 | |',
        'end group | | | | |',
        'select_one_external l | e | E | randomize=true | x = 1 |',
        'csv-external | f | | value=x | |',
      )}\n${sheet('external_choices', ['list_name | name | label', 'l | a | A'])}`,
      [2, 3, 4, 5, 6, 8, 9].map((row) => `survey ${row} parameters: parameters-ignored`),
    ],
    [
      'siblings that differ in case only',
      survey('type | name | label', 'text | Age | A', 'text | age | A'),
      ['survey 3 name: similar-names'],
    ],
    [
      'a language that lacks a column',
      survey('type | name | label::English (en) | label::French (fr) | hint::French (fr)', 'text | a | A | B | C'),
      ['survey 1 -: missing-translation'],
    ],
    [
      'a language without a code',
      survey('type | name | label::English | label::French (fr)', 'text | a | A | B'),
      ['survey 1 label::English: language-without-code'],
    ],
    [
      'or_other with translations',
      `${survey('type | name | label', 'select_one l or_other | a | A')}\n${sheet('choices', ['list_name | name | label::French (fr)', 'l | a | A'])}`,
      ['survey 1 -: missing-translation', 'survey 2 type: other-untranslated'],
    ],
    [
      'a choices header with spaces',
      `${plain}\n${sheet('choices', ['list_name | name | label | a b', 'l | a | A | x'])}`,
      ['choices 1 a b: invalid-choices-column'],
    ],
    [
      'a choices header with an unknown family',
      `${plain}\n${sheet('choices', ['list_name | name | label | geo::x', 'l | a | A | x'])}`,
      ['choices 1 geo::x: invalid-choices-column'],
    ],
    [
      'disabled in use',
      survey('type | name | label | disabled', 'text | a | A | no', 'text | b | B | yes'),
      ['survey 2 disabled: disabled-used', 'survey 3 disabled: disabled-used'],
    ],
    [
      'a row without type, name and label',
      survey('type | name | label | hint', 'text | a | A |', ' | | | stray'),
      ['survey 3 type: row-skipped'],
    ],
    [
      'subscriberid and simserial',
      survey('type | name | label', 'subscriberid | a |', 'simserial | b |', 'text | c | C'),
      ['survey 2 type: deprecated-type', 'survey 3 type: deprecated-type'],
    ],
    [
      'both form_id and id_string',
      `${plain}\n${sheet('settings', ['form_id | id_string', 'a | b'])}`,
      ['settings 2 id_string: two-form-ids'],
    ],
    ['a sheet like settings', `${plain}\n${sheet('setings', ['form_id', 'a'])}`, ['setings - -: misspelt-sheet']],
    ['a sheet like entities', `${plain}\n${sheet('entites', ['list_name', 'a'])}`, ['entites - -: misspelt-sheet']],
    [
      'an instance that is not there',
      `${survey('type | name | label | calculation', "calculate | a | | instance('yesno')/root/item[1]/name", "note | b | See instance('yn')/root/item[1]/label |")}\n${choices}`,
      ['survey 2 calculation: unknown-instance'],
    ],
    [
      'choices that lack a language of the survey',
      `${survey('type | name | label::English (en) | label::French (fr)', 'select_one yn | a | A | B')}\n${choices.replace('label', 'label::English (en)')}`,
      ['choices 1 -: missing-translation'],
    ],
    [
      'a default language that nothing is in',
      `${survey('type | name | label::English (en) | label::French (fr)', 'text | a | A | B')}\n${sheet('settings', ['default_language', 'English'])}`,
      ['settings 2 default_language: unknown-default-language'],
    ],
    [
      'a trigger outside of the repeat that it changes',
      survey(
        'type | name | label | trigger | calculation',
        'text | a | A | |',
        'begin repeat | r | R | |',
        'text | b | B | |',
        'text | c | | ${a} | 1',
        'text | d | | ${b} | 1',
        'end repeat | | | |',
        'text | e | | ${b} | 1',
      ),
      ['survey 5 trigger: trigger-outside-repeat'],
    ],
    [
      'a misspelt setting',
      `${plain}\n${sheet('settings', ['form_tilte', 'a'])}`,
      ['settings 1 form_tilte: unknown-column'],
    ],
  ])('%s', (_, markdown, warnings) => {
    expect(warningsOf(markdown)).toEqual(warnings)
  })

  it('are absent from a clean form', () => {
    expect(
      warningsOf(
        `${survey('type | name | label', 'select_one yn | a | A', 'image | b | B')}\n${choices}`.replace(
          'image | b | B',
          'text | b | B',
        ),
      ),
    ).toEqual([])
  })

  it('a disabled row is left out, one that is not disabled stays', () => {
    const { xform } = form(survey('type | name | label | disabled', 'text | a | A | no', 'text | b | B | yes'))
    expect(xform).toContain('<data id="data"><a/><meta>')
  })

  it('many choices without labels are one warning for each list', () => {
    const rows = Array.from({ length: 500 }, (_, index) => `l | c${index} |`)
    const { warnings } = form(`${plain}\n${sheet('choices', ['list_name | name | label', ...rows])}`)
    expect(warnings.map(({ message }) => message)).toEqual([
      "500 choices of list 'l' have no label, 'c0' first; people will not know what they mean.",
    ])
  })

  it('a misspelt default language gets a hint', () => {
    const rows = survey('type | name | label::English (en)', 'text | a | A')
    const { warnings } = form(`${rows}\n${sheet('settings', ['default_language', 'English'])}`)
    expect(warnings[0]?.message).toBe("No column is in the default language 'English'. Did you mean 'English (en)'?")
  })

  it('missing translations name the columns to add', () => {
    const { warnings } = form(survey('type | name | label | label::French (fr) | hint', 'text | a | A | B | C'))
    expect(warnings[0]?.message).toBe("The language 'French (fr)' has no column for hint. Add hint::French (fr).")
  })
})
