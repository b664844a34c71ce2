import { byName } from './by-name'

export default byName(import.meta.glob('./fr/*.ts', { eager: true, import: 'default' }))
