// For every test file: the parser is loaded, and a test that ran a statement which Citus would not take fails.
import { loadModule } from 'libpg-query'
import { afterAll, afterEach } from 'vitest'
import { throwRefused } from './guard.js'

await loadModule()

afterEach(throwRefused)
afterAll(throwRefused)
