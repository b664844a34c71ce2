// What tabs and the worker must not do at the same time: change one draft, and send.
export { alone, type Held, hold } from '@/base/locks'

export const draftLock = (id: string): string => `sheaf-filled-${id}`
export const sendingLock = 'sheaf-sending'
