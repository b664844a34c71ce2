// Which sources and which tests there are: a room is a folder of that name, with all that is in it.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Those where a rule that fails shows, loses or lets in what it should not. */
export const usualRooms = [
  'permissions',
  'credentials',
  'outbound',
  'rest-services',
  'submissions',
  'forms',
  'oauth',
  'data',
] as const

export interface Source {
  /** From the root, with slashes. */
  readonly file: string
  readonly room: string
  readonly text: string
}

/** Shapes and words: what is wrong in them is no rule, or is found by comparing them with the description. */
const isRule = (name: string): boolean =>
  name.endsWith('.ts') && !/(\.test|\.d|\.schemas|\.settings|\.errors|\.metrics|^testing|^index)\.ts$/.test(name)

const entriesOf = (root: string, folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true }).map((entry) => ({
    isFolder: entry.isDirectory(),
    path: join(entry.parentPath, entry.name)
      .slice(root.length + 1)
      .replaceAll('\\', '/'),
  }))

/** Folders of this name, the outermost ones. */
export const foldersOf = (root: string, room: string): string[] => {
  const found = entriesOf(root, 'src').filter(({ isFolder, path }) => isFolder && basename(path) === room)
  const paths = found.map(({ path }) => path)
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
}

export const sourcesOf = (root: string, room: string): Source[] =>
  foldersOf(root, room)
    .flatMap((folder) => entriesOf(root, folder))
    .filter(({ isFolder, path }) => !isFolder && isRule(basename(path)))
    .map(({ path }) => ({ file: path, room, text: readFileSync(join(root, path), 'utf8') }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))

/** The room that a changed file is in: the first folder below `src/features` or `src/platform`. */
const roomOf = (file: string): string => /^src\/(?:features|platform)\/([^/]+)\//.exec(file)?.[1] ?? dirname(file)

export const sourceAt = (root: string, file: string): Source | undefined =>
  file.startsWith('src/') && isRule(basename(file))
    ? { file, room: roomOf(file), text: readFileSync(join(root, file), 'utf8') }
    : undefined

/** These run what is built, in processes of their own, or measure time: a change is not in the one, and slows the other. */
const isApart = (test: string): boolean => /^test\/(process|acceptance|browser)\/|(growth|linear)\.test\.ts$/.test(test)

export const usableTests = (tests: readonly string[]): string[] => tests.filter((test) => !isApart(test))
