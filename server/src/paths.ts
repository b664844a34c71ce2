import { fileURLToPath } from 'node:url'

/** The same from the sources, from what is compiled and from what runs: each lies one folder below the workspace. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))
/** Files of pages, sent as they are. */
export const staticFolder = fileURLToPath(new URL('../static', import.meta.url))
/** What draws charts in a thread, with its library in it. */
export const drawingFile = new URL('../dist/drawing/worker.js', import.meta.url)
/** The web application as it was built. */
export const applicationFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))
/** What people run. */
export const programFile = fileURLToPath(new URL('../bin/sheaf.js', import.meta.url))
export const packageFile = fileURLToPath(new URL('../package.json', import.meta.url))
