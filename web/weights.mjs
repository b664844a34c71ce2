// How heavy pages are, in KB as brotli sends them, and how heavy they may be. A page is what a browser loads to show it: the
// entry, the page's own chunk, what both import, and what they load by themselves a moment later, such as the library of charts.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The entry and a page that somebody may see first. */
const firstPages = ['welcome', 'home', 'signin', 'register']
export const budgets = {
  first: 130,
  /** On top of the entry, by the folder of the page. */
  pages: { map: 110, charts: 170, dashboard: 170, editor: 90, 'editor-compiler': 50 },
  otherPages: 60,
  language: 60,
}

const sizeOf = (dist, file) => {
  const path = join(dist, file)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

/** Of what is loaded on demand, what a person asks for: other pages, languages, templates, a record on the
 * map, the map of one answer, borders from close by.
 * Everything else belongs to the page that loads it. */
const isAskedFor = (key) =>
  /^src\/(pages|texts|shell|templates)\/|\/(record-view|small-map)\.vue$|\/countries-50m\.json$/.test(key)

/** Outlines of countries are on those dashboards that somebody has put a map on. */
const isChosen = { dashboard: (key) => /\/sketch\/outlines\.ts$/.test(key) }

/** The compiler of forms comes beside the page, in workers: nobody waits for it. */
const isCompiler = (file) => /(check|files)\.worker-[^/]*$/.test(file)

const never = () => false

/** Every file that a chunk brings along, itself included. */
const filesOf = (manifest, key, isLeftOut = never, seen = new Set()) => {
  const chunk = manifest[key]
  if (chunk === undefined || seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const file of [...(chunk.css ?? []), ...(chunk.assets ?? [])]) seen.add(file)
  for (const other of chunk.imports ?? []) filesOf(manifest, other, isLeftOut, seen)
  for (const other of chunk.dynamicImports ?? []) {
    if (!isAskedFor(other) && !isLeftOut(other)) filesOf(manifest, other, isLeftOut, seen)
  }
  return seen
}

const total = (dist, files) => Math.round([...files].reduce((sum, file) => sum + sizeOf(dist, file), 0) / 102.4) / 10

/** Of a folder of pages, the heaviest. */
export const weightsOf = (dist) => {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
  const entry = filesOf(manifest, 'index.html')
  const pages = {}
  const languages = {}
  for (const key of Object.keys(manifest)) {
    const page = /^src\/pages\/([^/]+)\//.exec(key)?.[1]
    const all = [...filesOf(manifest, key, isChosen[page])].filter((file) => !entry.has(file))
    const own = all.filter((file) => !isCompiler(file))
    const compiler = total(dist, all.filter(isCompiler))
    const language = /^src\/texts\/([a-z]+)\.ts$/.exec(key)?.[1]
    if (page !== undefined) pages[page] = Math.max(pages[page] ?? 0, total(dist, own))
    if (compiler > 0) pages[`${page}-compiler`] = Math.max(pages[`${page}-compiler`] ?? 0, compiler)
    if (language !== undefined) languages[language] = total(dist, own)
  }
  return { entry: total(dist, entry), pages, languages }
}

export const faultsIn = ({ entry, pages, languages }) => {
  const limits = [
    ...firstPages.map((page) => [`first page (${page})`, entry + (pages[page] ?? 0), budgets.first]),
    ...Object.entries(pages).map(([page, weight]) => [page, weight, budgets.pages[page] ?? budgets.otherPages]),
    ...Object.entries(languages).map(([name, weight]) => [`language ${name}`, weight, budgets.language]),
  ]
  return limits
    .filter(([, weight, most]) => weight > most)
    .map(([name, weight, most]) => `${name}: ${Math.round(weight)} KB, at most ${most} KB`)
}
