// Writes the documentation that is made from the program.
import { readFileSync, writeFileSync } from 'node:fs'
import { configurationMarkdown } from '../server/dist/platform/config/index.js'
import { allSettings } from '../server/dist/settings.js'
import { withDependencies } from './dependencies.mjs'

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationMarkdown(allSettings))

const security = new URL('../SECURITY.md', import.meta.url)
writeFileSync(security, withDependencies(readFileSync(security, 'utf8')))
