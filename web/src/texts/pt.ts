import { byName } from './by-name'

export default byName(import.meta.glob('./pt/*.ts', { eager: true, import: 'default' }))
