import { places } from '../openrosa/index.js'

const names: ReadonlySet<string> = new Set(['own', 'account', 'project', 'form'])

/** Where Briefcase finds a list of forms, it looks for the rest. */
export const bases = places.filter(({ name }) => names.has(name))
