// @vitest-environment jsdom
import type { AnyNode, RootNode } from '@getodk/xforms-engine'
import { describe, expect, it } from 'vitest'
import { controlOf, form } from './support/compile.js'
import { openForm, serialise } from './support/engine.js'
import { choices, sheet, survey } from './support/mistakes.js'

const childrenOf = (node: AnyNode): readonly AnyNode[] => (node.currentState.children ?? []) as readonly AnyNode[]

/** Elements of a name, in document order, whatever repeat instances they are in. */
const named = (node: AnyNode, name: string): AnyNode[] => [
  ...(node.definition.nodeset.endsWith(`/${name}`) && !node.nodeType.startsWith('repeat-range') ? [node] : []),
  ...childrenOf(node).flatMap((child) => named(child, name)),
]

const at = (root: RootNode, name: string, index = 0): AnyNode => {
  const found = named(root, name)[index]
  if (found === undefined) throw new Error(`no ${name} ${index}`)
  return found
}

const set = (root: RootNode, name: string, value: string, index = 0): void => {
  const node = at(root, name, index)
  if (node.nodeType === 'select') node.selectValue(value)
  else (node as unknown as { setValue(value: string): void }).setValue(value)
}

const addInstance = (root: RootNode, name: string, index = 0): void => {
  const ranges = (node: AnyNode): AnyNode[] => [
    ...(node.nodeType === 'repeat-range:uncontrolled' && node.definition.nodeset.endsWith(`/${name}`) ? [node] : []),
    ...childrenOf(node).flatMap(ranges),
  ]
  const range = ranges(root)[index]
  if (range?.nodeType !== 'repeat-range:uncontrolled') throw new Error(`no repeat ${name}`)
  range.addInstances()
}

const values = (root: RootNode, name: string): string[] =>
  named(root, name).map((node) => node.currentState.instanceValue ?? '')

const optionsOf = (root: RootNode, name: string, index = 0): string[] => {
  const node = at(root, name, index)
  return node.nodeType === 'select'
    ? node.currentState.valueOptions.map((option: { value: string }) => option.value)
    : []
}

const open = (markdown: string): Promise<RootNode> => openForm(form(markdown).xform)

describe('what compiled forms do in the engine', () => {
  it('references within nested repeats mean the own instance', async () => {
    const root = await open(
      survey(
        'type | name | label | calculation',
        'integer | n | N |',
        'begin repeat | a | A |',
        'text | x | X |',
        'begin group | g | G |',
        'begin repeat | b | B |',
        'text | y | Y |',
        "calculate | z | | concat(${n}, '-', ${x}, '-', ${y})",
        'end repeat | | |',
        'end group | | |',
        'calculate | ys | | count(${y})',
        'end repeat | | |',
        'calculate | all | | count(${y})',
      ),
    )
    addInstance(root, 'a')
    // A new outer instance starts without inner ones: its template holds only theirs.
    addInstance(root, 'b', 1)
    addInstance(root, 'b', 1)
    set(root, 'n', '1')
    set(root, 'x', 'p', 0)
    set(root, 'x', 'q', 1)
    for (const [index, value] of ['i', 'j', 'k'].entries()) set(root, 'y', value, index)
    expect(values(root, 'z')).toEqual(['1-p-i', '1-q-j', '1-q-k'])
    expect(values(root, 'ys')).toEqual(['1', '2'])
    expect(values(root, 'all')).toEqual(['3'])
  })

  it('choice filters in repeats follow the own instance', async () => {
    const root = await open(
      `${survey('type | name | label | choice_filter', 'begin repeat | r | R |', 'select_one state | s | S |', 'select_one city | c | C | state = ${s}', 'end repeat | | |')}
       ${sheet('choices', ['list_name | name | label | state', 'state | tx | Texas |', 'state | wa | Washington |', 'city | hou | Houston | tx', 'city | sea | Seattle | wa'])}`,
    )
    addInstance(root, 'r')
    set(root, 's', 'tx', 0)
    set(root, 's', 'wa', 1)
    expect([optionsOf(root, 'c', 0), optionsOf(root, 'c', 1)]).toEqual([['hou'], ['sea']])
  })

  it('earlier answers offer all instances, also from within the repeat', async () => {
    const root = await open(
      survey(
        'type | name | label | choice_filter',
        'begin repeat | p | P |',
        'text | nm | N |',
        'integer | age | A |',
        'select_one ${nm} | friend | F |',
        'end repeat | | |',
        'select_one ${nm} | adult | A | ${age} > 17',
      ),
    )
    addInstance(root, 'p')
    addInstance(root, 'p')
    for (const [index, [name, age]] of [
      ['ann', '30'],
      ['bob', '10'],
    ].entries()) {
      set(root, 'nm', name ?? '', index)
      set(root, 'age', age ?? '', index)
    }
    expect(optionsOf(root, 'friend', 1)).toEqual(['ann', 'bob'])
    expect(optionsOf(root, 'adult')).toEqual(['ann'])
  })

  // The engine makes such nodesets absolute, so plain XPath on its submission has to judge this one.
  it('earlier answers of a nested repeat stay within the outer instance', async () => {
    const { xform } = form(
      survey(
        'type | name | label',
        'begin repeat | h | H',
        'begin repeat | m | M',
        'text | nm | N',
        'select_one ${nm} | mother | M',
        'end repeat | |',
        'select_one ${nm} | head | H',
        'end repeat | |',
      ),
    )
    const root = await openForm(xform)
    addInstance(root, 'h')
    addInstance(root, 'm', 1)
    addInstance(root, 'm', 1)
    for (const [index, name] of ['ann', 'bob', 'cy'].entries()) set(root, 'nm', name, index)
    const submission = new DOMParser().parseFromString(await serialise(root), 'text/xml')
    const offered = (path: string, name: string, index: number): string[] => {
      const nodeset = /nodeset="([^"]*)"/.exec(controlOf(xform, path) ?? '')?.[1] ?? ''
      const context = submission.querySelectorAll(name)[index]
      if (context === undefined) throw new Error(`no ${name} ${index}`)
      const found = submission.evaluate(`${nodeset}/nm`, context, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE)
      return Array.from({ length: found.snapshotLength }, (_, item) => found.snapshotItem(item)?.textContent ?? '')
    }
    expect(offered('/data/h/head', 'head', 0)).toEqual(['ann'])
    expect(offered('/data/h/head', 'head', 1)).toEqual(['bob', 'cy'])
    expect(offered('/data/h/m/mother', 'mother', 0)).toEqual(['ann'])
    expect(offered('/data/h/m/mother', 'mother', 2)).toEqual(['bob', 'cy'])
  })

  it('counts make as many instances as they say', async () => {
    const root = await open(
      survey(
        'type | name | label | repeat_count',
        'integer | n | N |',
        'begin repeat | r | R | ${n} + 1',
        'text | q | Q |',
        'end repeat | | |',
        'begin repeat | s | S | ${n}',
        'begin repeat | t | T | 2',
        'text | u | U |',
        'end repeat | | |',
        'end repeat | | |',
      ),
    )
    set(root, 'n', '2')
    expect([values(root, 'q').length, values(root, 'u').length]).toEqual([3, 4])
  })

  it('triggers and dynamic defaults act in their own instance', async () => {
    const root = await open(
      survey(
        'type | name | label | trigger | calculation | default',
        'text | o | O | | | outer',
        'begin repeat | r | R | | |',
        'text | a | A | | |',
        "text | b | | ${a} | concat(${a}, '!') |",
        "text | c | C | | | concat(${o}, '?')",
        'end repeat | | | | |',
      ),
    )
    addInstance(root, 'r')
    set(root, 'a', 'x', 1)
    expect(values(root, 'b')).toEqual(['', 'x!'])
    expect(values(root, 'c')).toEqual(['outer?', 'outer?'])
  })

  it('relevance, required, constraint and read-only are obeyed', async () => {
    const root = await open(
      `${survey('type | name | label | relevant | required | constraint | read_only', 'select_one yn | a | A | | yes | |', "integer | b | B | ${a} = 'yes' | | . > 3 |", 'text | c | C | | | | yes')}\n${choices}`,
    )
    expect(at(root, 'b').currentState.relevant).toBe(false)
    expect(at(root, 'a').currentState.required).toBe(true)
    set(root, 'a', 'yes')
    set(root, 'b', '1')
    expect(at(root, 'b').currentState.relevant).toBe(true)
    expect(
      (at(root, 'b') as { validationState?: { constraint?: { valid: boolean } } }).validationState?.constraint?.valid,
    ).toBe(false)
    expect(at(root, 'c').currentState.readonly).toBe(true)
  })

  it('labels show other answers in every language', async () => {
    const root = await open(
      survey(
        'type | name | label::English (en) | label::French (fr)',
        'text | who | Who? | Qui ?',
        'note | hello | Hello ${who} | Bonjour ${who}',
      ),
    )
    set(root, 'who', 'Ana')
    const label = (): string => at(root, 'hello').currentState.label?.asString.replace(/\s+/g, ' ').trim() ?? ''
    expect(label()).toBe('Hello Ana')
    const french = root.languages.find((language) => 'language' in language && language.language === 'French (fr)')
    if (french === undefined) throw new Error('no French')
    root.setLanguage(french as Parameters<RootNode['setLanguage']>[0])
    expect(label()).toBe('Bonjour Ana')
  })

  it('entities get an id in every instance of their repeat', async () => {
    const root = await open(
      `${survey('type | name | label | save_to', 'begin repeat | r | R |', 'text | a | A | p', 'end repeat | | |')}\n${sheet('entities', ['list_name | label', 'trees | ${a}'])}`,
    )
    addInstance(root, 'r')
    set(root, 'a', 'oak', 0)
    set(root, 'a', 'elm', 1)
    const submission = new DOMParser().parseFromString(await serialise(root), 'text/xml')
    const entities = [...submission.querySelectorAll('entity')]
    expect(entities.map((entity) => entity.textContent)).toEqual(['oak', 'elm'])
    const ids = entities.map((entity) => entity.getAttribute('id'))
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('or_other asks what the other is, and only then', async () => {
    const root = await open(`${survey('type | name | label', 'select_one yn or_other | a | A')}\n${choices}`)
    expect(at(root, 'a_other').currentState.relevant).toBe(false)
    set(root, 'a', 'other')
    expect(at(root, 'a_other').currentState.relevant).toBe(true)
  })
})
