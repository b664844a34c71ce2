// Writes the documentation that is made from the program.
import { writeFileSync } from 'node:fs'
import { configurationMarkdown } from '../server/dist/platform/config/index.js'
import { allSettings } from '../server/dist/settings.js'

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationMarkdown(allSettings))
