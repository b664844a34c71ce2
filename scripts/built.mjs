// Before any test: threads and processes run what was built, and no test shall see an older state of the source.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const build = fileURLToPath(new URL('build.mjs', import.meta.url))

/** All projects of a run are set up in one process, each with a copy of this module: one of them builds. */
const isBuilt = Symbol.for('sheaf is built')

export default () => {
  if (globalThis[isBuilt]) return
  const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The source does not compile; what is built is older than it.')
  globalThis[isBuilt] = true
}
