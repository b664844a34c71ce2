// The licences of what is in the files that are shipped: their owners ask that their words go along.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { neededBy } from './shipped.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** What only builds or checks the web application, and has no line of it. */
const tools = /^(?:@sheaf\/|@types\/|@vitejs\/|openapi-typescript$|typescript$|vite$|vue-tsc$)/

/** `…/node_modules/a/node_modules/@b/c/file.js` → `…/node_modules/a/node_modules/@b/c` */
const folderOf = (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]

/** Folders of all packages of which something is shipped. */
const folders = () => {
  const parts = ['server/program', 'server/dist/drawing'].flatMap((folder) => readJson(`${folder}/parts.json`))
  const { packages } = readJson('package-lock.json')
  const ofPages = Object.keys(readJson('web/package.json').devDependencies).filter((name) => !tools.test(name))
  const all = [...parts.map(folderOf), ...neededBy(packages, ofPages, 'web')]
  return [...new Set(all)].filter((folder) => folder !== undefined && existsSync(join(root, folder)))
}

const wordsIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(?:licen[cs]e|copying|notice)/i.test(entry.name))
    .map(({ name }) => readFileSync(join(root, folder, name), 'utf8').trim())

/** What a package says of itself where it brings no file along. */
const inShort = ({ license, author }) => {
  const owner = typeof author === 'string' ? author : author?.name
  return [license, owner].filter(Boolean).join(', ')
}

/** Each text once, below the packages that it is of. */
export const notices = () => {
  const names = new Map()
  for (const folder of folders()) {
    const manifest = readJson(`${folder}/package.json`)
    const text = wordsIn(folder).join('\n\n') || inShort(manifest)
    names.set(text, [...(names.get(text) ?? []), `${manifest.name} ${manifest.version}`])
  }
  const sections = [...names].map(([text, of]) => `${[...new Set(of)].sort().join('\n')}\n\n${text}`)
  return ['The files of this package hold the following packages, whole or in part.', ...sections.sort()].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  )
}
