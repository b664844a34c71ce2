import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../src/cli.js'
import { choices, plain, sheet, survey } from './support/mistakes.js'
import { text, workbook } from './support/workbooks.js'

const command = (argv: string[], files: Record<string, Uint8Array>) => {
  const written: Record<string, string> = {}
  let out = ''
  let err = ''
  const status = run(argv, {
    readFile: (path) => {
      const content = files[path]
      if (content === undefined) throw new Error('ENOENT')
      return content
    },
    writeFile: (path, content) => {
      written[path] = content
    },
    out: (part) => {
      out += part
    },
    err: (part) => {
      err += part
    },
  })
  return { status, out, err, written }
}

describe('sheaf-xlsform', () => {
  it('0 prints the XForm, its id taken from the file name', () => {
    const { status, out, err } = command(['forms/visit.xlsx'], {
      'forms/visit.xlsx': workbook({
        survey: [
          ['type', 'name', 'label'],
          ['text', 'a', 'A'],
        ],
      }),
    })
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('<data id="visit">')
  })

  it('0 prints warnings apart from the XForm', () => {
    const { status, out, err } = command(['f.md'], { 'f.md': text(survey('type | name | label', 'image | a | A')) })
    expect(status).toBe(0)
    expect(out).toMatch(/^<\?xml/)
    expect(err).toMatch(/^Warning: survey row 2, column parameters: The image 'a' has no max-pixels/)
  })

  it('0 writes to a file, and itemsets.csv next to it', () => {
    const external = sheet('external_choices', ['list_name | name | label', 'l | a | A'])
    const form = `${survey('type | name | label | choice_filter', 'select_one_external l | q | Q | 1=1')}\n${external}`
    const { written, out } = command(['f.md', '-o', 'out/f.xml', '--root', 'top'], { 'f.md': text(form) })
    expect(out).toBe('')
    expect(Object.keys(written)).toEqual(['out/f.xml', 'out/itemsets.csv'])
    expect(written['out/f.xml']).toContain('<top id="f">')
  })

  it('0 prints the model as JSON', () => {
    const { out } = command(['f.md', '--json'], { 'f.md': text(plain) })
    expect(JSON.parse(out)).toMatchObject({ formId: 'f', children: [{ name: 'a', type: 'text' }, { name: 'meta' }] })
  })

  it('1 shows every problem with its row and points at the cell', () => {
    const form = `${survey('type | name | label | relevant', 'txet | a | A |', 'select_one ny | b | B | ${aa} = 1')}\n${choices}`
    const { status, out, err } = command(['f.md'], { 'f.md': text(form) })
    expect([status, out]).toEqual([1, ''])
    expect(err).toBe(
      [
        "survey row 2, column type: Unknown question type 'txet'. Did you mean 'text'?",
        '  2 | txet | a | A',
        '      ^^^^',
        '',
        "survey row 3, column type: The list 'ny' is not on the choices sheet. Did you mean 'yn'?",
        '  3 | select_one ny | b | B | ${aa} = 1',
        '      ^^^^^^^^^^^^^',
        '',
        "survey row 3, column relevant: No question is named 'aa', but '${aa}' refers to it. Did you mean 'a'?",
        '  3 | select_one ny | b | B | ${aa} = 1',
        '                              ^^^^^^^^^',
        '',
        '3 problems in f.md.',
        '',
      ].join('\n'),
    )
  })

  it('1 for a file that is no form', () => {
    const { status, err } = command(['x.bin'], { 'x.bin': new Uint8Array([0, 1, 2]) })
    expect(status).toBe(1)
    expect(err).toMatch(/^The file is neither a spreadsheet/)
  })

  it.each([
    [[], 'Which form?'],
    [['a', 'b'], 'one form at a time'],
    [['--nope', 'a'], 'The option --nope is not known'],
    [['a', '-o'], '-o needs a value'],
    [['missing.xlsx'], 'The file missing.xlsx cannot be read'],
  ])('2 for %j', (argv, says) => {
    const { status, err } = command(argv, {})
    expect(status).toBe(2)
    expect(err).toContain(says)
  })

  it('0 explains itself', () => {
    expect(command(['--help'], {}).out).toMatch(/^Usage: sheaf-xlsform FORM/)
  })

  it('runs as a program', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sheaf-xlsform-'))
    try {
      writeFileSync(join(folder, 'good.md'), plain)
      writeFileSync(join(folder, 'bad.md'), survey('type | name | label', 'txet | a | A'))
      const program = join(import.meta.dirname, '../bin/sheaf-xlsform.js')
      execFileSync(process.execPath, [program, join(folder, 'good.md'), '-o', join(folder, 'good.xml')])
      expect(readFileSync(join(folder, 'good.xml'), 'utf8')).toContain('<data id="good">')
      const bad = spawnSync(process.execPath, [program, join(folder, 'bad.md')], { encoding: 'utf8' })
      expect([bad.status, bad.stdout]).toEqual([1, ''])
      expect(bad.stderr).toContain("Did you mean 'text'?")
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
