import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deleteRows, duplicateRows, insertRowsOf } from './edits'
import { typeInto } from './typing'
import { useWorkbook } from './use-workbook'
import { fromSheets, gridFrom, type Sheet, sheetFromGrid, toSheets } from './workbook'

/** Questions of these names, and for each of them a note that asks it. */
const opened = (names: readonly string[]) => {
  const model = useWorkbook({
    sheets: [
      sheetFromGrid('survey', [
        ['type', 'name', 'relevant'],
        ...names.map((name) => ['integer', name, '']),
        ...names.map((name, at) => ['note', `about_${at}`, `\${${name}} > ${at}`]),
      ]),
    ],
  })
  const grid = () => gridFrom(model.book.value.sheets[0] as Sheet).slice(1)
  return {
    model,
    name: (row: number, text: string) => {
      const edit = typeInto(model.book.value, 'survey', { row, column: 1 }, text, model.known.value)
      model.apply(edit)
      return edit?.told
    },
    names: () =>
      grid()
        .slice(0, names.length)
        .map((cells) => cells[1] ?? ''),
    asked: () =>
      grid()
        .slice(names.length)
        .map((cells) => cells[2]?.split(' ')[0]),
  }
}

describe('what refers to a question', () => {
  it('goes with the one that had the name first, when another one got it too', () => {
    const { name, asked } = opened(['a', 'b'])
    name(0, 'b')
    expect(asked()).toEqual(['${a}', '${b}'])
    expect(name(1, 'z')).toEqual({ kind: 'renamed', from: 'b', to: 'z', count: 2 })
    expect(asked()).toEqual(['${b}', '${z}'])
    name(0, 'k')
    expect(asked()).toEqual(['${k}', '${z}'])
  })

  it('goes with both where two change their names for each other, and undo takes it back', () => {
    const { model, name, asked } = opened(['a', 'b'])
    name(0, 'b')
    name(1, 'a')
    expect(asked()).toEqual(['${b}', '${a}'])
    name(0, 'k')
    expect(asked()).toEqual(['${k}', '${a}'])
    model.undo()
    model.undo()
    expect(asked()).toEqual(['${a}', '${b}'])
    name(1, 'z')
    expect(asked()).toEqual(['${b}', '${z}'])
  })

  it('goes with the question that somebody made in place of a deleted one', () => {
    const { model, name, asked } = opened(['a', 'b'])
    model.apply(insertRowsOf(model.book.value, 'survey', 2, [{ type: 'integer', name: 'b' }]))
    model.apply(deleteRows(model.book.value, 'survey', 1, 1))
    name(1, 'k')
    expect(asked()).toEqual(['${a}', '${k}'])
  })

  it('goes with the first of a copied row, whichever gets another name', () => {
    const { model, name } = opened(['a'])
    model.apply(duplicateRows(model.book.value, 'survey', 0, 0))
    name(0, 'k')
    expect(gridFrom(model.book.value.sheets[0] as Sheet).map((cells) => cells.slice(1))).toEqual([
      ['name', 'relevant'],
      ['k', ''],
      ['a', ''],
      ['about_0', '${k} > 0'],
    ])
  })

  it('stays and is told where nobody knows who had the name first, as in what was kept in the browser', () => {
    const { model, name, asked } = opened(['a', 'b'])
    name(0, 'b')
    model.replace(fromSheets(toSheets(model.book.value)))
    expect(name(1, 'z')).toEqual({ kind: 'stayed', from: 'b', to: 'z', count: 1 })
    expect(asked()).toEqual(['${a}', '${b}'])
  })

  it('asks the same question as at first, whenever each has a name of its own, whatever they were called on the way', () => {
    const names = ['a', 'b', 'c', 'd']
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .tuple(fc.nat(3), fc.constantFrom('a', 'b', 'c', 'd', 'e', ''))
          .map(([row, text]) => ({ row, text })),
      },
      { weight: 1, arbitrary: fc.constantFrom('undo' as const, 'redo' as const) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const { model, name, names: now, asked } = opened(names)
        const first = toSheets(model.book.value)
        for (const one of steps) {
          if (typeof one === 'string') model[one]()
          else name(one.row, one.text)
          const all = now()
          if (all.includes('') || new Set(all).size < all.length) continue
          expect(asked()).toEqual(all.map((text) => `\${${text}}`))
        }
        const last = toSheets(model.book.value)
        let count = 0
        for (; model.mayUndo.value; count += 1) model.undo()
        expect([toSheets(model.book.value), model.known.value.size]).toEqual([first, 0])
        for (; count > 0; count -= 1) model.redo()
        expect(toSheets(model.book.value)).toEqual(last)
      }),
      { numRuns: 500 },
    )
  })
})
