import { describe } from 'vitest'
import { plain, sheet, survey, testMistakes } from './support/mistakes.js'

describe('mistakes in entities', () => {
  testMistakes({
    'entities: the conditions': {
      sheets: `${plain}\n${sheet('entities', ['list_name | label | entity_id | create_if | update_if', 'l1 | ${a} | | | true()', 'l2 | ${a} | ${a} | true() |', 'l3 | | | |'])}`,
      problems: [
        'entities 2 entity_id: entity-needs-id',
        'entities 3 update_if: entity-needs-update-if',
        'entities 3 list_name: no-place-for-entity',
        'entities 4 label: entity-needs-label',
        'entities 4 list_name: no-place-for-entity',
      ],
      says: /update_if needs an entity_id/,
    },
    'entities: the names of lists': {
      sheets: `${plain}\n${sheet('entities', ['list_name | label', '__x | ${a}', ' | ${a}'])}`,
      problems: ['entities 2 list_name: invalid-entity-list', 'entities 3 list_name: missing-entity-list'],
      says: /cannot name an entity list/,
    },
    'entities: a dot in a list name': {
      sheets: `${plain}\n${sheet('entities', ['dataset | label', 'a.b | ${a}'])}`,
      problems: ['entities 2 dataset: invalid-entity-list'],
      says: /no '\.'/,
    },
    'entities: an unknown column': {
      sheets: `${plain}\n${sheet('entities', ['list_name | label | create_fi', 'l | ${a} | x'])}`,
      problems: ['entities 1 create_fi: unknown-column'],
      says: /no column 'create_fi'\. Did you mean 'create_if'\?/,
    },
    'save_to without entities': {
      sheets: survey('type | name | label | save_to', 'text | a | A | p'),
      problems: ['survey 2 save_to: save-to-without-entities'],
      says: /needs a sheet entities/,
    },
    'save_to: its names': {
      sheets: `${survey('type | name | label | save_to', 'text | a | A | Name', 'text | b | B | __p', 'text | c | C | p q', 'text | d | D | p', 'text | e | E | p', 'text | f | F | nope#p')}\n${sheet('entities', ['list_name | label', 'l | ${a}'])}`,
      problems: [
        'survey 2 save_to: reserved-property',
        'survey 3 save_to: invalid-property',
        'survey 4 save_to: invalid-property',
        'survey 6 save_to: duplicate-save-to',
        'survey 7 save_to: unknown-entity-list',
      ],
      says: /'Name' is reserved/,
    },
    'save_to on a container': {
      sheets: `${survey('type | name | label | save_to', 'begin group | g | G | p', 'text | a | A |', 'end group | | |')}\n${sheet('entities', ['list_name | label', 'l | ${a}'])}`,
      problems: ['survey 2 save_to: save-to-on-container'],
      says: /Only questions can be saved/,
    },
    'save_to without a list where there are several': {
      sheets: `${survey('type | name | label | save_to', 'text | a | A | p', 'begin group | g | G |', 'text | b | B | m#p', 'end group | | |')}\n${sheet('entities', ['list_name | label', 'l | ${a}', 'm | ${b}'])}`,
      problems: ['survey 2 save_to: save-to-needs-list'],
      says: /Write list#property, such as l#p/,
    },
    'entities of questions in different repeats': {
      sheets: `${survey('type | name | label | save_to', 'begin repeat | r | R |', 'text | a | A | p', 'end repeat | | |', 'begin repeat | s | S |', 'text | b | B | q', 'end repeat | | |')}\n${sheet('entities', ['list_name | label', 'l | x'])}`,
      problems: ['entities 2 list_name: entity-scopes'],
      says: /different repeats/,
    },
    'an entity whose save_to is outside its repeat': {
      sheets: `${survey('type | name | label | save_to', 'text | a | A | p', 'begin repeat | s | S |', 'text | b | B |', 'end repeat | | |')}\n${sheet('entities', ['list_name | label', 'l | ${b}'])}`,
      problems: ['entities 2 list_name: entity-scopes'],
      says: /must be in the repeat 's'/,
    },
    'two save_to lists in one group': {
      sheets: `${survey('type | name | label | save_to', 'begin group | g | G |', 'text | a | A | l#p', 'text | b | B | m#q', 'end group | | |')}\n${sheet('entities', ['list_name | label', 'l | ${a}', 'm | ${b}'])}`,
      problems: ['entities 3 list_name: no-place-for-entity'],
      says: /no group or repeat left to hold the entity 'm'/,
    },
    'a saved question in the group of another entity': {
      sheets: `${survey('type | name | label | save_to', 'text | a | A | l#p', 'begin group | g | G |', 'text | b | B | m#q', 'text | c | C | l#r', 'end group | | |')}\n${sheet('entities', ['list_name | label', 'l | ${a}', 'm | ${b}'])}`,
      problems: ['survey 5 save_to: save-to-taken-over'],
      says: /stands in a group that holds the entity 'm'/,
    },
  })
})
