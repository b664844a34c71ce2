import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { bindOf, form } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'
import { workbook } from './support/workbooks.js'

const rows = survey('type | name | label | save_to', 'text | a | A | p', 'text | b | B |')
const withEntities = (header: string, ...lists: string[]): string =>
  form(`${rows}\n${sheet('entities', [header, ...lists])}`).xform

describe('what an entity row declares', () => {
  it('always create', () => {
    const xform = withEntities('list_name | label', 'trees | ${a}')
    expect(xform).toContain('<meta><entity dataset="trees" create="1" id=""><label/></entity><instanceID/></meta>')
    expect(xform).toContain(
      '<bind nodeset="/data/meta/entity/@id" readonly="true()" type="string"/><setvalue ref="/data/meta/entity/@id" event="odk-instance-first-load" value="uuid()"/>',
    )
    expect(bindOf(xform, '/data/meta/entity/label')).toBe(
      '<bind nodeset="/data/meta/entity/label" calculate=" /data/a " readonly="true()" type="string"/>',
    )
    expect(bindOf(xform, '/data/a')).toBe('<bind nodeset="/data/a" type="string" entities:saveto="p"/>')
    expect(xform).toContain('entities:entities-version="2024.1.0"')
    expect(bindOf(xform, '/data/meta/entity/@create')).toBeUndefined()
  })

  it('create if', () => {
    const xform = withEntities('list_name | label | create_if', "trees | ${a} | ${b} = 'x'")
    expect(xform).toContain('<entity dataset="trees" create="1" id="">')
    expect(bindOf(xform, '/data/meta/entity/@create')).toBe(
      `<bind nodeset="/data/meta/entity/@create" calculate=" /data/b  = 'x'" readonly="true()" type="string"/>`,
    )
  })

  it.each([
    ['yes', 'true()'],
    ['TRUE', 'true()'],
    ['true', 'true()'],
    ['No', 'false()'],
    ['FALSE', 'false()'],
    ['maybe', 'maybe'],
  ])('%s as a condition is %s', (word, expression) => {
    const created = withEntities('list_name | label | create_if', `trees | \${a} | ${word}`)
    expect(bindOf(created, '/data/meta/entity/@create')).toContain(` calculate="${expression}"`)
    const both = withEntities('list_name | entity_id | create_if | update_if', `trees | \${b} | ${word} | ${word}`)
    for (const name of ['create', 'update'])
      expect(bindOf(both, `/data/meta/entity/@${name}`)).toContain(` calculate="${expression}"`)
  })

  it.each(['xlsx', 'biff8'] as const)('a boolean cell of %s is a condition', (bookType) => {
    const bytes = workbook(
      {
        survey: [
          ['type', 'name', 'label'],
          ['text', 'a', 'A'],
        ],
        entities: [
          ['list_name', 'label', 'create_if'],
          ['trees', '${a}', true],
        ],
      },
      bookType,
    )
    expect(bindOf(compile(bytes).xform, '/data/meta/entity/@create')).toContain(' calculate="true()"')
  })

  it('always update', () => {
    const xform = withEntities('list_name | entity_id', 'trees | ${b}')
    expect(xform).toContain('<entity dataset="trees" update="1" baseVersion="" trunkVersion="" branchId="" id=""/>')
    expect(bindOf(xform, '/data/meta/entity/@id')).toContain(' calculate=" /data/b " readonly="true()"')
    for (const [name, column] of [
      ['baseVersion', '__version'],
      ['trunkVersion', '__trunkVersion'],
      ['branchId', '__branchId'],
    ])
      expect(bindOf(xform, `/data/meta/entity/@${name}`)).toContain(
        ` calculate="instance('trees')/root/item[name= /data/b ]/${column}"`,
      )
    expect(xform).not.toContain('uuid()')
  })

  it('an update declares its list as a file, unless the form has it already', () => {
    expect(withEntities('list_name | entity_id', 'trees | ${b}')).toContain(
      '<instance id="trees" src="jr://file-csv/trees.csv"/>',
    )
    const { xform } = form(
      `${survey('type | name | label', 'select_one_from_file trees.csv | t | T')}\n${sheet('entities', ['list_name | entity_id', 'trees | ${t}'])}`,
    )
    expect(xform.match(/<instance id="trees"/g)).toHaveLength(1)
  })

  it('update if', () => {
    const xform = withEntities('list_name | entity_id | update_if', 'trees | ${b} | true()')
    expect(bindOf(xform, '/data/meta/entity/@update')).toContain(' calculate="true()"')
    expect(xform).not.toContain(' create="1"')
  })

  it('create or update, by condition', () => {
    const xform = withEntities(
      'list_name | label | entity_id | create_if | update_if',
      "trees | ${a} | ${b} | ${b} = '' | ${b} != ''",
    )
    expect(xform).toContain(
      '<entity dataset="trees" create="1" update="1" baseVersion="" trunkVersion="" branchId="" id=""><label/></entity>',
    )
    expect(bindOf(xform, '/data/meta/entity/@create')).toBeDefined()
    expect(bindOf(xform, '/data/meta/entity/@update')).toBeDefined()
  })

  it('comes before audit and instanceID in meta', () => {
    const { xform } = form(
      `${survey('type | name | label', 'text | a | A', 'audit | |')}\n${sheet('entities', ['dataset | label', 'trees | ${a}'])}`,
    )
    expect(xform).toMatch(/<meta><entity [^>]*><label\/><\/entity><audit\/><instanceID\/><\/meta>/)
  })
})

describe('where an entity goes', () => {
  const place = (survey_: string, ...lists: string[]): [string, string][] =>
    form(`${survey_}\n${sheet('entities', ['list_name | label', ...lists])}`).model.entities.map(
      ({ dataset, container }) => [dataset, container],
    )

  const nested = survey(
    'type | name | label | save_to',
    'text | top | Top |',
    'begin group | g | G |',
    'text | ga | A |',
    'begin repeat | r | R |',
    'begin group | h | H |',
    'text | ha | A |',
    'text | hb | B |',
    'end group | | |',
    'begin repeat | s | S |',
    'text | sa | A |',
    'end repeat | | |',
    'end repeat | | |',
    'end group | | |',
  )
  const saving = (...cells: [string, string][]): string =>
    cells.reduce(
      (text, [name, saveTo]) => text.replace(new RegExp(`(text \\| ${name} \\| \\w+ \\|)`), `$1 ${saveTo}`),
      nested,
    )

  it('one list outside of repeats: the root, even when its questions are in a group', () => {
    expect(place(saving(['ga', 'p']), 'l | ${top}')).toEqual([['l', '/data']])
  })

  it('an unreferenced list: the root', () => {
    expect(place(nested, "l | 'x'")).toEqual([['l', '/data']])
  })

  it('save_to in a repeat: the deepest container common to the saved questions', () => {
    expect(place(saving(['ha', 'p'], ['hb', 'q']), 'l | ${ha}')).toEqual([['l', '/data/g/r/h']])
  })

  it('without save_to: the container of the deepest reference', () => {
    expect(place(nested, 'l | concat(${top}, ${ha})')).toEqual([['l', '/data/g/r/h']])
    expect(place(nested, 'l | concat(${ha}, ${sa})')).toEqual([['l', '/data/g/r/s']])
  })

  it('several lists: each in a container of its own, and the version says so', () => {
    expect(place(saving(['top', 'l#p'], ['ga', 'm#q']), 'l | ${top}', 'm | ${ga}')).toEqual([
      ['l', '/data'],
      ['m', '/data/g'],
    ])
    const { xform } = form(
      `${saving(['top', 'l#p'], ['ga', 'm#q'])}\n${sheet('entities', ['list_name | label', 'l | ${top}', 'm | ${ga}'])}`,
    )
    expect(xform).toContain('entities:entities-version="2025.1.0"')
  })

  it('a taken place: a list without save_to moves up towards its scope', () => {
    expect(place(nested, 'l | ${ha}', 'm | ${hb}')).toEqual([
      ['m', '/data/g/r'],
      ['l', '/data/g/r/h'],
    ])
  })

  it('a list with save_to is placed before lists without', () => {
    expect(place(saving(['hb', 'm#p']), 'l | ${ha}', 'm | ${hb}')).toEqual([
      ['l', '/data/g/r'],
      ['m', '/data/g/r/h'],
    ])
  })

  it('the column repeat names the repeat', () => {
    const { model } = form(`${nested}\n${sheet('entities', ['list_name | label | repeat', 'l | ${top} | ${r}'])}`)
    expect(model.entities).toEqual([{ dataset: 'l', container: '/data/g/r', creates: true, updates: false }])
  })

  it('references within a repeat are relative to the generated elements', () => {
    const { xform } = form(
      `${saving(['ha', 'p'])}\n${sheet('entities', ['list_name | label', 'l | concat(${ha}, ${ga})'])}`,
    )
    expect(bindOf(xform, '/data/g/r/h/meta/entity/label')).toContain(' calculate="concat( ../../../ha ,  /data/g/ga )"')
  })
})
