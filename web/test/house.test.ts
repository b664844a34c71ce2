// What holds the house together: who imports whom, where texts stand, which sides styles know.
import { describe, expect, it } from 'vitest'
import { importsOf, type Source, sources } from './sources'
import { wordsIn } from './template-words'

const broken = (rule: (from: string, to: string) => boolean): string[] =>
  sources.flatMap((file) =>
    importsOf(file)
      .filter((to) => rule(file.name, to))
      .map((to) => `${file.name} → ${to}`),
  )

/** From the ground up; each imports those before it. Pages are held apart below, and so is the second entry, `/f/`. */
const floors = ['base', 'texts', 'look', 'templates', 'api', 'parts', 'pages', 'shell']
const floorOf = (name: string) => floors.indexOf(name.split('/')[0] ?? '')
const pageOf = (name: string) => /^pages\/([^/]+)\//.exec(name)?.[1]
const styles = (file: Source) =>
  file.name.endsWith('.css')
    ? file.text
    : [...file.text.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css]) => css).join('\n')
/** Words of people who look at parts, not of those who use the application. */
const isKit = ({ name }: Source) => name.startsWith('shell/kit/')

describe('the house of the application', () => {
  it('is read whole', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(200)
  })

  it('a floor imports only those below it', () => {
    expect(broken((from, to) => floorOf(from) >= 0 && floorOf(to) > floorOf(from))).toEqual([])
  })

  it('a page imports no other page', () => {
    expect(
      broken((from, to) => pageOf(from) !== undefined && pageOf(to) !== undefined && pageOf(from) !== pageOf(to)),
    ).toEqual([])
  })

  it('the page where forms are filled in stands beside the application: neither imports the other', () => {
    const isFill = (name: string) => name.startsWith('fill/')
    const isApplication = (name: string) => /^(pages|shell)\//.test(name)
    expect(broken((from, to) => isFill(from) && isApplication(to))).toEqual([])
    // Signing out asks what waits in the browser, whichever page it is done on.
    const isAsked = (name: string) => name === 'fill/keep/leaving'
    expect(broken((from, to) => !isFill(from) && isFill(to) && !isAsked(to))).toEqual([])
  })

  it('every folder of pages says its addresses in routes.ts, and loads its pages when they are opened', () => {
    // The start page has its address in the shell.
    const folders = new Set(sources.flatMap(({ name }) => pageOf(name) ?? []).filter((name) => name !== 'welcome'))
    const routes = sources.filter(({ name }) => /^pages\/[^/]+\/routes\.ts$/.test(name))
    expect(routes.map(({ name }) => pageOf(name))).toEqual([...folders])
    expect(routes.filter(({ text }) => /^import [^'\n]*\.vue'/m.test(text)).map(({ name }) => name)).toEqual([])
  })

  it('no text is written in a component', () => {
    const written = sources
      .filter((file) => file.name.endsWith('.vue') && !isKit(file))
      .flatMap(({ name, text }) => wordsIn(text).map((words) => `${name}: ${words}`))
    expect(written).toEqual([])
  })

  it('finds a text that is written in a component', () => {
    const page = (inside: string) => `<script setup lang="ts">\n</script>\n<template>${inside}</template>`
    expect(wordsIn(page('<p>Hello {{ name }}</p>'))).toEqual(['Hello'])
    expect(wordsIn(page('<input placeholder="Your name"><img alt="A dog">'))).toEqual(['Your name', 'A dog'])
    expect(wordsIn(page(`<Notice :title="isNew ? 'New one' : t('old')" />`))).toEqual(['New one'])
    expect(wordsIn(page(`<p :class="a ? 'small' : 'large'" title="">{{ t('title') }} · {{ n }}</p>`))).toEqual([])
  })

  it('styles know start and end, not left and right', () => {
    const sided =
      /(^|[\s;{])((margin|padding|border|inset)-(left|right)|(left|right)|text-align:\s*(left|right)|float:(?!\s*inline-(start|end);))\s*:?/
    const faulty = sources.flatMap((file) =>
      styles(file)
        .split('\n')
        .filter((line) => sided.test(line) && /:/.test(line) && !line.trim().startsWith('/*'))
        .map((line) => `${file.name}: ${line.trim()}`),
    )
    expect(faulty).toEqual([])
  })

  it('no element has a style attribute: the policy of the page forbids it', () => {
    expect(sources.filter(({ text }) => /<[a-zA-Z][^>]*\sstyle="/.test(text)).map(({ name }) => name)).toEqual([])
  })

  it('nothing shows markup that somebody may have written', () => {
    expect(sources.filter(({ text }) => /v-html|innerHTML/.test(text)).map(({ name }) => name)).toEqual([])
  })

  it('colours come from the tokens', () => {
    // The band of the mark is the same in both looks.
    const coloured = sources.filter(
      (file) => /#[0-9a-f]{3,8}\b|\brgb\(/i.test(styles(file)) && file.name !== 'parts/brand.vue',
    )
    expect(coloured.map(({ name }) => name)).toEqual([])
  })

  it('no file is longer than 400 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 400).map(({ name }) => name)).toEqual([])
  })

  it('no unfinished marks', () => {
    expect(sources.filter(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text)).map(({ name }) => name)).toEqual([])
  })
})
