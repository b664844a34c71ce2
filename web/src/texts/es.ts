import { byName } from './by-name'

export default byName(import.meta.glob('./es/*.ts', { eager: true, import: 'default' }))
