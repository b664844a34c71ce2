import { byName } from './by-name'

export default byName(import.meta.glob('./sw/*.ts', { eager: true, import: 'default' }))
