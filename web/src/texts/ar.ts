import { byName } from './by-name'

export default byName(import.meta.glob('./ar/*.ts', { eager: true, import: 'default' }))
