// What somebody downloads or saves is the form that they saw: the file compiles to what the editor compiled while they typed, also
// where it is opened again, on the server or in another browser.
import { compile, compileSheets, type RawSheet, XlsFormError } from '@sheaf/xlsform'
import { readSheets, writeWorkbook } from '@sheaf/xlsform/workbook'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadTemplate, templates } from '@/templates'
import { anyEdit, anyWorkbook } from './arbitrary'
import { useWorkbook } from './use-workbook'
import { fromSheets, saysTheSame, toSheets, type Workbook } from './workbook'

const options = { fileName: 'form.xlsx' }

const outcomeOf = (make: () => ReturnType<typeof compile>) => {
  try {
    return make()
  } catch (error) {
    if (error instanceof XlsFormError) return { problems: error.problems }
    throw error
  }
}

const edited = (
  book: Workbook,
  edits: readonly ((book: Workbook) => Parameters<ReturnType<typeof useWorkbook>['apply']>[0])[],
) => {
  const model = useWorkbook(book)
  for (const make of edits) model.apply(make(model.book.value))
  return model.book.value
}

/** In the order that files have. */
const inOrder = (sheets: readonly RawSheet[]) => {
  const first = ['survey', 'choices', 'settings']
  const rank = ({ name }: RawSheet) => (first.includes(name) ? first.indexOf(name) : first.length)
  return sheets.toSorted((a, b) => rank(a) - rank(b))
}

describe('a form that is exported from the editor', async () => {
  const forms = await Promise.all(templates.map(({ id }) => loadTemplate(id)))

  it('compiles to the XForm, or to the mistakes, that the editor showed, and is opened as it was left', async () => {
    let works = 0
    const any = fc.oneof(fc.constantFrom(...forms).map(fromSheets), anyWorkbook)
    await fc.assert(
      fc.asyncProperty(any, fc.array(anyEdit, { maxLength: 3 }), async (book, edits) => {
        const left = edited(book, edits)
        const seen = outcomeOf(() => compileSheets(toSheets(left), options))
        if ('xform' in seen) works += 1
        const file = await writeWorkbook(toSheets(left))
        expect(outcomeOf(() => compile(file, options))).toEqual(seen)
        const opened = fromSheets(await readSheets(file))
        expect(saysTheSame(opened, { sheets: fromSheets(inOrder(toSheets(left))).sheets })).toBe(true)
        expect(await writeWorkbook(toSheets(opened))).toEqual(file)
      }),
      { numRuns: 40 },
    )
    expect(works).toBeGreaterThan(3)
  })

  it('has what stands below many empty rows, in every sheet', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 6 })
    const sheetWith = (name: string, gap: readonly number[]): RawSheet => {
      let number = 1
      const below = gap.map((empty, at) => {
        number += empty + 1
        return { number, columns: [0, 1], texts: [name === 'survey' ? 'text' : 'l', `q${at}`] }
      })
      return { name, rows: [{ number: 1, columns: [0, 1], texts: ['type', 'name'] }, ...below] }
    }
    await fc.assert(
      fc.asyncProperty(gaps, gaps, gaps, async (survey, choices, notes) => {
        const sheets = [sheetWith('survey', survey), sheetWith('choices', choices), sheetWith('notes', notes)]
        const opened = toSheets(fromSheets(await readSheets(await writeWorkbook(sheets))))
        expect(opened).toEqual(sheets)
      }),
      { numRuns: 30, examples: [[[61, 200], [300], [61]]] },
    )
  })
})
