// The package as it is published: packed, installed into an empty folder without a network, and used from there.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleForBrowser } from './support/bundle.js'

const root = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
  readonly size: number
}

const pack = (folders: readonly string[], to: string): Packed[] => {
  const args = ['pack', ...folders, '--json', '--ignore-scripts', '--offline', '--pack-destination', to]
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
}

/** Folders of what a package needs to run, and of what that needs. */
const neededBy = (folder: string): string[] => {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const require = createRequire(join(folder, 'package.json'))
  const folders = Object.keys(dependencies).map((name) => {
    for (const path of require.resolve.paths(name) ?? []) if (existsSync(join(path, name))) return join(path, name)
    throw new Error(`${name} is not installed`)
  })
  return [...folders, ...folders.flatMap(neededBy)]
}

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-xlsform-'))
  let packed: Packed

  beforeAll(() => {
    const tarballs = pack([root, ...new Set(neededBy(root))], folder)
    packed = tarballs[0] as Packed
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const names = tarballs.map(({ filename }) => `./${filename}`)
    execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...names], {
      cwd: folder,
      stdio: 'ignore',
    })
  }, 120_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (source: string): string =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', source], { cwd: folder, encoding: 'utf8' })

  it('holds what it needs and nothing else', () => {
    const paths = packed.files.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'bin/sheaf-xlsform.js']))
    const others = paths.filter(
      (path) =>
        !/^(?:LICENSE|README\.md|package\.json|bin\/sheaf-xlsform\.js|examples\/[\w-]+\.(?:mjs|html)|dist\/[\w/-]+\.(?:js|d\.ts))$/.test(
          path,
        ),
    )
    expect(others).toEqual([])
    // Every script has its types.
    const scripts = paths.filter((path) => /^dist\/.*\.js$/.test(path))
    expect(scripts.filter((path) => !paths.includes(path.replace(/\.js$/, '.d.ts')))).toEqual([])
    expect(packed.size).toBeLessThan(200_000)
  })

  it.each(Object.keys(manifest.exports))('can be imported from %s, with types', (entry) => {
    const { types } = manifest.exports[entry]
    expect(packed.files.map(({ path }) => `./${path}`)).toContain(types)
    const name = join(manifest.name, entry)
    expect(Number(run(`console.log(Object.keys(await import('${name}')).length)`))).toBeGreaterThan(0)
    expect(existsSync(join(folder, 'node_modules', manifest.name, dirname(types)))).toBe(true)
  })

  it('compiles sheets, and the workbook that is written of them, to one form', () => {
    const source = `
      import { compile } from '${manifest.name}'
      import { compileSheets, sheetOf } from '${manifest.name}/sheets'
      import { compileWorkbook, writeWorkbook } from '${manifest.name}/workbook'
      const sheets = [sheetOf('survey', [['type', 'name', 'label'], ['text', 'a', 'A']])]
      const bytes = await writeWorkbook(sheets)
      const forms = [compileSheets(sheets), compile(bytes), await compileWorkbook(bytes)]
      console.log(new Set(forms.map(({ xform }) => xform)).size, forms[0].xform.includes('/data/a'))`
    expect(run(source).trim()).toBe('1 true')
  })

  it('type-checks where it is used, by Node’s rules and by those of bundlers', () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { compile, formatProblem, type Problem } from '${manifest.name}'
      import { checkSheets, type RawSheet, sheetOf } from '${manifest.name}/sheets'
      import { readSheets } from '${manifest.name}/workbook'
      import { questionTypes } from '${manifest.name}/language'
      const sheets: RawSheet[] = [sheetOf('survey', [['type']])]
      const problems: Problem[] = checkSheets(sheets).problems
      export const told: string[] = problems.map(formatProblem)
      export const all: [string, Promise<RawSheet[]>, number] =
        [compile(new Uint8Array()).xform, readSheets(new Uint8Array()), questionTypes.length]`,
    )
    const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
    for (const module of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      const args = [tsc, '--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom', '--types', '']
      execFileSync(process.execPath, [...args, '--module', module[0], '--moduleResolution', module[1], 'use.ts'], {
        cwd: folder,
        stdio: 'pipe',
      })
    }
  })

  it('is bundled for browsers from where it is installed, without anything of Node', async () => {
    const entries = ['sheets', 'workbook', 'language', 'form'].map((name) => `${manifest.name}/${name}`)
    const source = entries.map((name, at) => `export * as e${at} from '${name}'`).join('\n')
    const { missing, code } = await bundleForBrowser(source, folder)
    expect(missing).toEqual([])
    writeFileSync(join(folder, 'bundle.mjs'), code)
    const used = `
      import { e0, e1 } from './bundle.mjs'
      const bytes = await e1.writeWorkbook([e0.sheetOf('survey', [['type', 'name', 'label'], ['text', 'a', 'A']])])
      console.log((await e1.compileWorkbook(bytes)).xform.includes('/data/a'))`
    expect(run(used).trim()).toBe('true')
  })

  describe('the examples', () => {
    const example = (name: string, ...args: string[]): Buffer =>
      execFileSync(process.execPath, [join('node_modules', manifest.name, 'examples', name), ...args], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      })

    beforeAll(() => {
      const choices = 'choices\n,list_name,name,label\n,yn,yes,Yes\n,yn,no,No\n'
      writeFileSync(join(folder, 'visit.csv'), `survey\n,type,name,label\n,select_one yn,ok,All well?\n${choices}`)
      writeFileSync(join(folder, 'broken.csv'), 'survey\n,type,name,label\n,intger,age,Age\n')
    })

    it('compile, and tell what is wrong', () => {
      expect(String(example('compile.mjs', 'visit.csv'))).toContain('nodeset="/data/ok"')
      expect(() => example('compile.mjs', 'broken.csv')).toThrow("Unknown question type 'intger'")
    })

    it('add a language, in a workbook that compiles', () => {
      writeFileSync(join(folder, 'french.xlsx'), example('translate.mjs', 'visit.csv', 'French (fr)'))
      expect(
        run(`import { readFileSync } from 'node:fs'
        import { readSheetsSync } from '${manifest.name}'
        console.log(readSheetsSync(readFileSync('french.xlsx'))[0].rows[0].texts.join())`),
      ).toContain('label::French (fr)')
    })

    it('list the questions', () => {
      expect(String(example('questions.mjs', 'visit.csv'))).toContain('"/data/ok","select_one","All well?","yes no"')
    })

    it('check in a browser: what the page imports is there', async () => {
      const page = readFileSync(join(folder, 'node_modules', manifest.name, 'examples/check-in-browser.html'), 'utf8')
      const script = /<script type="module">([\s\S]*)<\/script>/.exec(page)?.[1] ?? ''
      const { missing, code } = await bundleForBrowser(script, folder)
      expect([missing, code.includes('querySelector')]).toEqual([[], true])
    })

    it('are all run', () => {
      const files = readdirSync(join(root, 'examples'))
      expect(files.sort()).toEqual(['check-in-browser.html', 'compile.mjs', 'questions.mjs', 'translate.mjs'])
    })
  })

  it('has a command that compiles a form', () => {
    writeFileSync(join(folder, 'form.csv'), 'survey\n,type,name,label\n,text,a,A\n')
    const command = join(folder, 'node_modules/.bin/sheaf-xlsform')
    expect(execFileSync(command, ['form.csv'], { cwd: folder, encoding: 'utf8' })).toContain('<bind nodeset="/data/a"')
  })
})
