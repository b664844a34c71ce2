// Every language says everything, with the same names and all its forms of number.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Catalogue, type Entries, fill, namesIn, type Text } from '@/texts/catalogue'
import { firstKnown, languages } from '@/texts/language'
import { sources } from './sources'

const english = import.meta.glob<Catalogue>('../src/texts/en/*.ts', { eager: true, import: 'default' })
const others = import.meta.glob<Entries>('../src/texts/{fr,es,pt,sw,ar}/*.ts', { eager: true, import: 'default' })

const nameOf = (path: string) => path.split('/').at(-1)?.replace('.ts', '') ?? ''
const formsOf = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text))
const translated = Object.keys(languages).filter((name) => name !== 'en')

describe('texts', () => {
  it('there are English ones, each named as its file', () => {
    expect(Object.keys(english).length).toBeGreaterThan(10)
    expect(Object.entries(english).filter(([path, { name }]) => name !== nameOf(path))).toEqual([])
  })

  it.each(translated)('%s has every file and every key of English, and no other', (language) => {
    const there = Object.keys(others).filter((path) => path.includes(`/${language}/`))
    expect(there.map(nameOf)).toEqual(Object.keys(english).map(nameOf))
    const keysOf = (entries: Entries) => Object.keys(entries).sort()
    for (const path of there) {
      const source = english[`../src/texts/en/${nameOf(path)}.ts`]
      expect([path, keysOf(others[path] ?? {})]).toEqual([path, keysOf(source?.entries ?? {})])
    }
  })

  it.each(translated)('%s uses the names that English has, and says nothing in English by mistake', (language) => {
    const faults = Object.entries(others)
      .filter(([path]) => path.includes(`/${language}/`))
      .flatMap(([path, entries]) => {
        const source = english[`../src/texts/en/${nameOf(path)}.ts`]?.entries ?? {}
        return Object.entries(entries).flatMap(([key, text]) => {
          const names = new Set(formsOf(source[key] ?? '').flatMap(namesIn))
          const strange = formsOf(text)
            .flatMap(namesIn)
            .filter((name) => !names.has(name))
          const lost = typeof text === 'string' && namesIn(text).join() !== [...names].sort().join()
          return strange.length > 0 || lost || formsOf(text).some((form) => form.trim() === '')
            ? [`${path} ${key}`]
            : []
        })
      })
    expect(faults).toEqual([])
  })

  it.each(Object.keys(languages))('%s has a form for every number', (language) => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    const all: [string, Entries][] =
      language === 'en'
        ? Object.values(english).map(({ name, entries }) => [name, entries])
        : Object.entries(others).filter(([path]) => path.includes(`/${language}/`))
    const faults = all.flatMap(([path, entries]) =>
      Object.entries(entries)
        .filter(([, text]) => typeof text !== 'string')
        .filter(([, text]) => pluralCategories.some((rule) => !Object.hasOwn(text as object, rule)))
        .map(([key]) => `${path} ${key}`),
    )
    expect(faults).toEqual([])
  })

  it('no text is left that nobody shows', () => {
    const code = sources
      .filter(({ name }) => !name.startsWith('texts/'))
      .map(({ text }) => text)
      .join('\n')
    // What the renderer of forms says is named where it is grafted in.
    const grafts = readFileSync(new URL('../renderer.ts', import.meta.url), 'utf8')
    const isGrafted = (key: string) =>
      [`sheaf.say("${key}")`, `sheaf.sayOfMap("${key}")`, `, '${key}'],`].some((use) => grafts.includes(use))
    const unused = Object.values(english).flatMap(({ name, entries }) =>
      Object.keys(entries)
        .filter((key) => !code.includes(`'${key}'`) && !isGrafted(key))
        // Named by a value: `role-${role}`.
        .filter((key) => !(key.includes('-') && code.includes(`\`${key.split('-')[0]}-\${`)))
        .map((key) => `${name}.${key}`),
    )
    // Errors are named by their kind.
    expect(unused.filter((key) => !key.startsWith('errors.'))).toEqual([])
  })

  it('what is put in is never read for names again', () => {
    expect(fill('{a} and {b}', { a: '{b}', b: 'x' }, String)).toBe('{b} and x')
    expect(fill('{constructor} {missing}', {}, String)).toBe('{constructor} {missing}')
  })

  it('the first language of the browser that there is', () => {
    expect(firstKnown(['de-CH', 'pt-BR', 'en'])).toBe('pt')
    expect(firstKnown(['zz'])).toBe('en')
  })
})
