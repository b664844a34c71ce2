/** By which the browser wakes the worker. */
export const syncTag = 'sheaf-send'
